// What stands in the way of reading a file or looking through a folder in a sandbox, by the exit codes of our own scripts.
import { HermesError } from '../base/errors.ts';
import type { ExecResult } from '../sandboxes/result.ts';

const MISSING = 90;
const FOLDER = 91;
const DENIED = 92;
const SPECIAL = 93;

/** Shell text that leaves with these codes unless `$p` is a file that can be read. */
export const IS_READABLE_FILE = `[[ -e $p ]] || exit ${MISSING}
[[ -d $p ]] && exit ${FOLDER}
[[ -f $p ]] || exit ${SPECIAL}
[[ -r $p ]] || exit ${DENIED}`;

/** The same for a file or a folder. */
export const IS_READABLE = `[[ -e $p ]] || exit ${MISSING}
[[ -f $p || -d $p ]] || exit ${SPECIAL}
[[ -r $p ]] || exit ${DENIED}`;

/** Throws unless the script came to one of these exit codes by itself. */
export function assertRan(path: string, result: ExecResult, accepted: readonly number[] = [0]): void {
  const { outcome, exitCode, stderr } = result;
  if (outcome === 'exited' && exitCode !== undefined && accepted.includes(exitCode)) return;
  if (outcome === 'sandbox-lost')
    throw new HermesError('SANDBOX_GONE', `The sandbox was lost while ${path} was in use.`, {
      details: { path },
    });
  if (exitCode === MISSING)
    throw new HermesError('SANDBOX_FILE_MISSING', `There is no ${path} in the sandbox.`, {
      details: { path },
    });
  const reason = reasonOf(exitCode) ?? (stderr.trim().slice(0, 300) || `the look at it ${outcome}`);
  throw new HermesError('SANDBOX_FILE_REFUSED', `${path} in the sandbox: ${reason}.`, {
    details: { path, reason },
  });
}

function reasonOf(exitCode: number | undefined): string | undefined {
  if (exitCode === FOLDER) return 'it is a folder; list_files shows what is in it';
  if (exitCode === DENIED) return 'permission denied';
  return exitCode === SPECIAL ? 'it is a pipe, a socket or a device' : undefined;
}
