// What SQLite reports, as errors that say what to do. Codes: https://www.sqlite.org/rescode.html
import { HermesError, systemErrorCode } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';

const BUSY = 5;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** What the system says when a disk is full, broken or read-only, or when the process has too many files open. */
const PASSING = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'];

/** Whether it is a lock or a full disk: what passes also where nothing has worked before. */
export function isLockedOrFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const result = resultCode(error);
  if (result !== undefined) return [BUSY, FULL, IO_ERROR].includes(result);
  return ['ENOSPC', 'EDQUOT'].includes(systemErrorCode(error) ?? '') || isLockedOrFull(error.cause);
}

/** Whether it may work again by itself, without anybody changing the file: nothing of the failed call was written. */
export function mayWorkAgain(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const result = resultCode(error);
  if (result !== undefined) return [BUSY, FULL, IO_ERROR, READONLY, CANNOT_OPEN].includes(result);
  return PASSING.includes(systemErrorCode(error) ?? '') || mayWorkAgain(error.cause);
}

/** Another process holds the lock that was needed; nothing has been done. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** The error in our words; one that is no matter of the file or the disk, such as a broken constraint, as it is. */
export function storeError(error: unknown, path: string): unknown {
  switch (resultCode(error)) {
    case BUSY:
      return new HermesError(
        'UNAVAILABLE_LOCK',
        `Another process has been writing to ${path} for 10 s. Wait for it, or end it if it hangs.`,
        { details: { path }, cause: error },
      );
    case CORRUPT:
      return damaged(path, 'its content is broken', error);
    case NOT_A_DATABASE:
      return damaged(path, 'it is not an SQLite database', error);
    case FULL:
      return notWritten(path, 'the disk is full', error);
    case IO_ERROR:
      return notWritten(path, 'the disk is full or reports an error', error);
    case READONLY:
    case CANNOT_OPEN:
      return unusable(
        path,
        'it cannot be opened for writing',
        'Make it and its folder writable for this user.',
        error,
      );
    default:
      return error;
  }
}

/** Nothing is repaired by itself: what is still readable is worth more to the operator than an empty store. */
export function damaged(path: string, why: string, cause?: unknown): HermesError {
  const rescue = `\`sqlite3 ${shellQuote(path)} .recover\` shows what can still be read`;
  return unusable(
    path,
    `${why}; it was left as it is`,
    `Restore a copy, or move it away together with ${path}-wal and -shm to start afresh (${rescue}).`,
    cause,
  );
}

export function unusable(path: string, why: string, whatToDo: string, cause?: unknown): HermesError {
  const message = `The state in ${path} cannot be used: ${why}. ${whatToDo}`;
  return new HermesError('UNAVAILABLE_STORE', message, { details: { path, reason: why }, cause });
}

function notWritten(path: string, why: string, cause: unknown): HermesError {
  const message = `The state in ${path} could not be written: ${why}. What was there is unchanged. Make room or mend the disk, then try again.`;
  return new HermesError('UNAVAILABLE_STORE_DISK', message, { details: { path, reason: why }, cause });
}

/** The primary result code of an SQLite error; extended codes carry it in their lowest byte. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}
