// What may be missing: then that is the answer, and no error.
import { systemErrorCode } from './errors.ts';

/** Undefined when the file or folder that `work` needs does not exist. Other errors are thrown on. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
