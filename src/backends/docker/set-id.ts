// Whether a container that can write a folder of the host could leave a program there that lends its owner's rights to everybody:
// whether its filter refuses that, and what follows where it does not.
import { HermesError } from '../../base/errors.ts';
import type { Mount } from '../backend.ts';
import type { Info } from './answers.ts';
import { isRootless } from './plan.ts';
import { type ProfileWanted, seccompProfileFor } from './seccomp.ts';

export function canWriteHost(mounts: readonly Pick<Mount, 'readOnly'>[]): boolean {
  return mounts.some(({ readOnly }) => !readOnly);
}

/** By what the engine says of itself; other runtimes, such as gVisor, have filters of their own. */
export function refusesSetId(
  info: Info,
  { extraCaps, runtime }: Pick<ProfileWanted, 'extraCaps'> & { readonly runtime: string | undefined },
): boolean {
  const isUsual = ['runc', 'crun', ''].includes(runtime ?? info.DefaultRuntime);
  return isUsual && seccompProfileFor(info, { extraCaps, refusesSetId: true }) !== undefined;
}

/** Whether root inside is root on the engine's host. */
export function isHostRoot(user: string, info: Info): boolean {
  const isMapped = info.SecurityOptions?.some(option => option.startsWith('name=userns')) ?? false;
  const [who = ''] = user.split(':');
  return ['', '0', 'root'].includes(who) && !isMapped && !isRootless(info);
}

/** What stands before the look at mounts (see ownership.ts): prints `-` when modes can be changed in this container and the bit cannot be had, else `s`. */
export const TRY_SET_ID =
  'f=/tmp/.hermes-$$; s=s; : >"$f" && chmod 700 "$f" 2>/dev/null && { chmod 4700 "$f" 2>/dev/null; [ -u "$f" ] || s=-; }; rm -f "$f"; printf "%s\\0" "$s"';

export function rootUnfiltered({ source, target }: Mount): HermesError {
  const message = `${source} cannot be mounted at ${target} for writing: commands would run as root of the engine’s host, and nothing keeps them from leaving a set-user-id program there. Set terminal.docker_user to a user who can write to it, use the engine’s default seccomp profile and runtime, or mount it with :ro. Nothing is left of the container.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { source, target } });
}

export function explainUnfiltered({ source }: Mount): string {
  return `Warning: nothing keeps commands from leaving a set-user-id program in ${source}, which would lend its owner’s rights to everybody on the engine’s host. Use the engine’s default seccomp profile and runtime, or mount it with :ro.`;
}
