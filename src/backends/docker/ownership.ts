// Whether commands can write what is mounted for writing: tried in the running container, because only the engine knows how
// users of the host look inside, and explained where they cannot.
import { HermesError } from '../../base/errors.ts';
import type { DriverContext, Mount, SandboxProcess } from '../backend.ts';
import type { Engine } from './engine.ts';
import { startExec } from './exec-process.ts';
import { WORKSPACE } from './plan.ts';
import { explainUnfiltered, rootUnfiltered, TRY_SET_ID } from './set-id.ts';
import type { CheckedMount } from './volumes.ts';

export function explainUser(user: string, { source, target }: Mount): string {
  return `Commands run as ${user}, the owner of ${source}, so that they can write to ${target} and files made there belong to that user.`;
}

export interface MountsProbed {
  readonly mounts: readonly CheckedMount[];
  /** Whom the container runs as; empty = the image's own user. */
  readonly user: string;
  /** Whether that is root on the engine's host too. */
  readonly isHostRoot: boolean;
  /** Inside must be the very file that is seen here. */
  readonly isStrict: boolean;
  readonly signal: AbortSignal;
}

interface Seen {
  readonly canWrite: boolean;
  readonly identity: string;
}

const LOOK = `${TRY_SET_ID}; `.concat(
  'for target; do [ -w "$target" ] && w=w || w=-; printf "%s %s\\0" $w "$(stat -c %d:%i -- "$target")"; done',
);

/**
 * Throws SANDBOX_NOT_CREATED when the workspace cannot be written, something else is mounted, or root of the host could leave
 * set-user-id programs there; says so of any other mount.
 */
export async function probeMounts(
  { engine, context }: { engine: Engine; context: DriverContext },
  container: string,
  { mounts, user, isHostRoot, isStrict, signal }: MountsProbed,
): Promise<void> {
  const probed = isStrict ? mounts : mounts.filter(({ readOnly }) => !readOnly);
  if (probed.length === 0) return;
  const argv = ['/bin/sh', '-c', LOOK, 'hermes', ...probed.map(({ target }) => target)];
  const looking = await startExec({ engine, clock: context.clock, container, argv, workdir: '/', signal });
  const [setId = '', ...lines] = (await outputOf(looking)).split('\0');
  const seen = lines.map(seenOf);
  const another = probed.find(({ identity }, at) => isStrict && identity !== seen[at]?.identity);
  if (another) throw anotherFolder(another);
  const writable = mounts.find(({ readOnly }) => !readOnly);
  if (setId !== '-' && writable) {
    if (isHostRoot) throw rootUnfiltered(writable);
    context.progress(explainUnfiltered(writable));
  }
  for (const [at, mount] of probed.entries()) {
    if (seen[at]?.canWrite || mount.readOnly) continue;
    const text = explainUnwritable(mount, user);
    if (mount.target === WORKSPACE) throw notWritable(mount, text);
    context.progress(text);
  }
}

async function outputOf(process: SandboxProcess): Promise<string> {
  const pieces: Uint8Array[] = [];
  process.onOutput((stream, data) => stream === 'stdout' && pieces.push(data));
  process.end();
  await process.exit;
  return Buffer.concat(pieces).toString('utf8');
}

function seenOf(line: string): Seen {
  const [mode, identity = ''] = line.split(' ');
  return { canWrite: mode === 'w', identity };
}

/** An engine on whose host there was nothing has made an empty folder. */
function anotherFolder(mount: CheckedMount): HermesError {
  const message = `${mount.source} cannot be mounted at ${mount.target}: on the engine’s host that path is another folder than the one that Hermes checked: it was replaced meanwhile, Hermes itself runs in a container, or there was none and Podman made an empty one. Mount the folder into the container of Hermes under the path that it has on the host. Nothing is left of the sandbox.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { mount } });
}

function explainUnwritable({ source, target, owner }: CheckedMount, user: string): string {
  const who = user === '' ? 'the image’s user' : user;
  const whose = owner === undefined ? '' : `, which belongs to ${owner.uid}:${owner.gid},`;
  return `Commands run as ${who} and cannot write to ${target}: ${source}${whose} does not let them, or the engine maps users to others.`;
}

function notWritable(mount: CheckedMount, text: string): HermesError {
  const { uid, gid } = mount.owner ?? {};
  const set = uid === undefined ? 'its owner' : `"${uid}:${gid}"`;
  const message = `${text} Set terminal.docker_user to ${set} or unset it, mend the folder’s permissions, or mount it with :ro if that is meant. Nothing is left of the container.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { mount } });
}
