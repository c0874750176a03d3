// Reads a configuration file, and refuses what cannot be one: pipes, devices, folders, huge files, bytes that are no text.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { HermesError, systemErrorCode } from '../base/errors.ts';
import { systemReason } from '../base/system-reason.ts';

const LARGEST_BYTES = 1024 * 1024;

/** The text of a file without a byte order mark, or undefined if there is none. Throws CONFIG_UNREADABLE. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    // A pipe without a writer would block an ordinary open.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const info = await file.stat();
      if (info.isDirectory()) throw unreadable(path, 'it is a folder');
      if (!info.isFile()) throw unreadable(path, 'it is not a regular file');
      if (info.size > LARGEST_BYTES) throw unreadable(path, 'it is larger than 1 MiB');
      return decode(path, await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    if (error instanceof HermesError) throw error;
    throw unreadable(path, systemReason(error), error);
  }
}

function decode(path: string, bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, 'it is not UTF-8 text', error);
  }
  if (text.includes('\0')) throw unreadable(path, 'it holds NUL bytes and is no text');
  return text;
}

function unreadable(path: string, reason: string, cause?: unknown): HermesError {
  return new HermesError('CONFIG_UNREADABLE', `${path} cannot be read: ${reason}. Mend or remove it.`, {
    details: { file: path },
    cause,
  });
}
