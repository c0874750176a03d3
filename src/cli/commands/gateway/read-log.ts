// Reads the log of a gateway from its end, over the files that it was continued in, and goes along as it grows.

import { open, stat } from 'node:fs/promises';
import { type Clock, sleep } from '../../../base/clock.ts';
import { systemErrorCode } from '../../../base/errors.ts';
import { ifThere } from '../../../base/if-there.ts';
import { agedLog } from '../../../gateway/process/log-file.ts';

/** Where reading stopped: in which file, at which byte. */
export interface LogPlace {
  readonly file: number;
  readonly at: number;
}

export interface FollowOptions {
  readonly path: string;
  readonly from: LogPlace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const LOOK_MS = 200;
const OLDEST = 100;

/** The newest lines that are wanted, oldest first; older files are read as far as they are needed. */
export async function lastLines(
  path: string,
  most: number,
  isWanted: (line: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly end: LogPlace }> {
  const newest = await readFrom(path, 0);
  let lines = linesOf(newest?.text ?? '').filter(isWanted);
  for (let age = 1; age < OLDEST && lines.length < most; age++) {
    const older = await readFrom(agedLog(path, age), 0);
    if (!older) break;
    lines = [...linesOf(older.text).filter(isWanted), ...lines];
  }
  return {
    lines: most === 0 ? [] : lines.slice(-most),
    end: { file: newest?.file ?? 0, at: newest?.end ?? 0 },
  };
}

/** Ends when the signal aborts. */
export async function* followLog({ path, from, clock, signal }: FollowOptions): AsyncGenerator<string> {
  let place = from;
  while (!signal.aborted) {
    const current = await fileOf(path);
    if (current !== undefined && current !== place.file) {
      // It was continued in a new file; what the old one got before that comes first.
      const old = place.file === 0 ? undefined : await readFrom(agedLog(path, 1), place.at);
      if (old?.file === place.file) yield* linesOf(old.text);
      place = { file: current, at: 0 };
    }
    const read = await readFrom(path, place.at);
    if (read && read.file === place.file) {
      yield* linesOf(read.text);
      place = { file: read.file, at: read.end };
    }
    await pause(clock, signal);
  }
}

async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    await sleep(clock, LOOK_MS, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function fileOf(path: string): Promise<number | undefined> {
  return (await ifThere(stat(path)))?.ino;
}

/** Whole lines only; undefined when there is no such file. */
async function readFrom(path: string, at: number) {
  try {
    await using file = await open(path, 'r');
    const { ino, size } = await file.stat();
    // A file that has become shorter was begun anew.
    const start = size < at ? 0 : at;
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(10) + 1);
    return { file: ino, text: whole.toString('utf8'), end: start + whole.length };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(line => line !== '');
}
