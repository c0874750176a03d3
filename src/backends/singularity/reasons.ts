// Why no instance starts on this machine: found out from the machine itself, with Apptainer's own words beside it.
import { readFileSync } from 'node:fs';
import { systemErrorCode } from '../../base/errors.ts';

/** What was found on the machine. */
export interface Findings {
  /** Values of kernel settings, as far as this kernel has them. */
  readonly unprivilegedUserns: string | undefined;
  readonly mostUserns: string | undefined;
  readonly apparmorRestricts: string | undefined;
  readonly persistent: boolean;
  readonly network: string;
}

export interface Advice {
  readonly reason: string;
  readonly fix: string;
}

/** Pure: what most likely stands in the way. `said`: the program's own words. */
export function adviceFor(found: Findings, said: string): Advice {
  const words = said.replace(/\.$/, '');
  const told = (reason: string): string => `${reason}. It says: ${words}`;
  if (found.mostUserns === '0')
    return {
      reason: told('the kernel forbids user namespaces: user.max_user_namespaces is 0'),
      fix: 'As root run: sysctl -w user.max_user_namespaces=15000',
    };
  if (found.unprivilegedUserns === '0')
    return {
      reason: told('the kernel forbids user namespaces: kernel.unprivileged_userns_clone is 0'),
      fix: 'As root run: sysctl -w kernel.unprivileged_userns_clone=1',
    };
  if (found.apparmorRestricts === '1')
    return {
      reason: told('AppArmor may forbid user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)'),
      fix: 'Install Apptainer from its own packages, which bring a profile, or as root run: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    };
  if (found.network !== 'none' && found.network !== 'host')
    return {
      reason: told(`the network ${found.network} could not be had`),
      fix: 'Let the administrator allow it in apptainer.conf (`allow net users`, `allow net networks`), or set terminal.singularity_network to none',
    };
  const fix = `Mend what it says; where it speaks of ${NEEDED.join(' or ')}, install them`;
  return {
    reason: told('the instance did not start'),
    fix: found.persistent ? `${fix}. ${NO_OVERLAY}` : fix,
  };
}

/** Some packages bring them along, others leave them to the system. */
const NEEDED = ['squashfuse', 'fuse-overlayfs'];
const NO_OVERLAY =
  'Network file systems often refuse overlays: set terminal.scratch_dir to a local disk, or terminal.container_persistent to false';

/** Looks at this machine. */
export function lookAround(label: { persistent: boolean; network: string }): Findings {
  return {
    unprivilegedUserns: kernelSetting('kernel/unprivileged_userns_clone'),
    mostUserns: kernelSetting('user/max_user_namespaces'),
    apparmorRestricts: kernelSetting('kernel/apparmor_restrict_unprivileged_userns'),
    ...{ persistent: label.persistent, network: label.network },
  };
}

function kernelSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}
