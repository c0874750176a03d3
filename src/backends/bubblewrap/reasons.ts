// Why bubblewrap does not work on this machine: found out from the machine's own settings, not from error texts.
import { readFile, stat } from 'node:fs/promises';
import { systemErrorCode } from '../../base/errors.ts';
import { inContainer } from '../../base/in-container.ts';
import type { Problem } from '../backend.ts';

/** What was found on the machine. */
export interface Findings {
  /** Values of kernel settings, as far as this kernel has them. */
  readonly unprivilegedUserns: string | undefined;
  readonly mostUserns: string | undefined;
  readonly apparmorRestricts: string | undefined;
  readonly isContainer: boolean;
  readonly isChroot: boolean;
  /** Whether bubblewrap makes namespaces here, if nothing else is asked of it. */
  readonly makesNamespaces: boolean;
  /** The program's own words. */
  readonly said: string;
}

/** Pure: the reasons, most certain first. Never empty. */
export function reasonsFor(found: Findings): Problem[] {
  const said = found.said.trim() || 'nothing';
  // Then none of what forbids them can be the reason.
  const reasons = found.makesNamespaces ? [] : obstacles(found);
  const [first] = reasons;
  if (first) return [{ ...first, message: `${first.message} bubblewrap says: ${said}` }, ...reasons.slice(1)];
  const fix = found.makesNamespaces
    ? 'Mend what it says. A folder that it cannot change to is that of terminal.cwd: set one that exists in the sandbox, or unset it.'
    : 'Run `bwrap --unshare-all --ro-bind / / true` as an ordinary user and mend what it says.';
  return [{ message: `bubblewrap cannot make a sandbox here: ${said}`, fix }];
}

function obstacles(found: Findings): Problem[] {
  const reasons: Problem[] = [];
  if (found.mostUserns === '0')
    reasons.push(forbidden('user.max_user_namespaces is 0', 'sysctl -w user.max_user_namespaces=15000'));
  // It holds for root too, whose sandboxes are ordinary users.
  if (found.unprivilegedUserns === '0') {
    const fix = 'sysctl -w kernel.unprivileged_userns_clone=1';
    reasons.push(forbidden('kernel.unprivileged_userns_clone is 0', fix));
  }
  if (found.apparmorRestricts === '1') {
    reasons.push({
      message: 'AppArmor forbids user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1).',
      fix: 'Give bwrap an AppArmor profile that allows userns, or run: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    });
  }
  if (found.isChroot) {
    reasons.push({
      message: 'Hermes runs in a chroot, where the kernel permits no user namespaces.',
      fix: 'Run it outside, or in a root made with pivot_root.',
    });
  }
  if (found.isContainer) {
    reasons.push({
      message: 'Hermes runs in a container that forbids namespaces or mounts.',
      fix: 'Use another backend there, or run Hermes on the machine itself.',
    });
  }
  return reasons;
}

function forbidden(what: string, fix: string): Problem {
  return { message: `The kernel forbids user namespaces: ${what}.`, fix: `As root run: ${fix}` };
}

/** Looks at this machine. */
export async function lookAround(said: string, makesNamespaces: boolean): Promise<Findings> {
  const [unprivilegedUserns, mostUserns, apparmorRestricts] = await Promise.all(
    [
      'kernel/unprivileged_userns_clone',
      'user/max_user_namespaces',
      'kernel/apparmor_restrict_unprivileged_userns',
    ].map(name => textOf(`/proc/sys/${name}`)),
  );
  const [root, initRoot] = await Promise.all([inodeOf('/'), inodeOf('/proc/1/root/')]);
  return {
    unprivilegedUserns,
    mostUserns,
    apparmorRestricts,
    isContainer: inContainer(),
    isChroot: initRoot !== undefined && initRoot !== root,
    makesNamespaces,
    said,
  };
}

async function textOf(path: string): Promise<string | undefined> {
  return unlessHidden(readFile(path, 'utf8').then(text => text.trim()));
}

async function inodeOf(path: string): Promise<string | undefined> {
  return unlessHidden(stat(path).then(({ dev, ino }) => `${dev}:${ino}`));
}

async function unlessHidden<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}
