// Says in words why the operating system refused, for messages that an operator can act on.
import { systemErrorCode } from './errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'something else has that name',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'a folder of its path does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EDQUOT: 'the disk quota is used up',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
};

/** The reason in words; for anything unheard of, what the error itself says. */
export function systemReason(error: unknown): string {
  const known = REASONS[systemErrorCode(error) ?? ''];
  return known ?? (error instanceof Error ? error.message : String(error));
}
