// The file that the log is written to: private, bounded in size and number. Lines are written at once, so that the last
// ones before a crash are there.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';

export interface LogFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** The newest included. */
  readonly files: number;
}

export interface LogFile {
  write(line: string): void;
  close(): void;
}

/** Lines of ours are JSON; a log of the original Hermes under that name is left alone. */
export function logPath(home: string): string {
  const usual = join(home, 'logs', 'gateway.log');
  return ['', '{'].includes(firstCharacter(usual)) ? usual : join(home, 'logs', 'hermes-gateway.log');
}

function firstCharacter(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(1);
      return bytes.toString('latin1', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // What is wrong with it shows when it is opened for writing.
    if (systemErrorCode(error) === undefined) throw error;
    return '';
  }
}

/** The path of the file that was the newest `age` rotations ago. */
export function agedLog(path: string, age: number): string {
  return age === 0 ? path : `${path}.${age}`;
}

/** A disk that is full costs lines, never the gateway; how many is written down as soon as it works again. */
export function openLogFile({ path, maxBytes, files }: LogFileOptions): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openPrivate(path);
  let size = fstatSync(file).size;
  let lost = 0;
  const rotate = (): void => {
    for (let age = files - 1; age >= 1; age--) moveIfThere(agedLog(path, age - 1), agedLog(path, age));
    // The old one stays open until there is a new one: its number must not become another file's.
    const next = openPrivate(path, files === 1 ? 'w' : 'a');
    closeSync(file);
    file = next;
    size = fstatSync(file).size;
  };
  const put = (text: string): void => {
    const bytes = Buffer.from(text);
    if (size > 0 && size + bytes.length > maxBytes) rotate();
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    size += bytes.length;
  };
  return {
    write(line) {
      try {
        if (lost > 0) put(`${JSON.stringify({ level: 'warn', lost, msg: 'lines of the log were lost' })}\n`);
        lost = 0;
        put(line);
      } catch (error) {
        if (systemErrorCode(error) === undefined) throw error;
        lost += 1;
      }
    },
    close: () => closeSync(file),
  };
}

function openPrivate(path: string, flags: 'a' | 'w' = 'a'): number {
  const file = openSync(path, flags, 0o600);
  // One that was there before may have been readable to others.
  if ((fstatSync(file).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return file;
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
