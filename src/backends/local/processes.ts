// Ends what a local sandbox has started: everything in the process groups of its children, and everything whose
// environment carries the sandbox's tag, however far it has moved from its parent.

import { readdir, readFile } from 'node:fs/promises';
import { systemErrorCode } from '../../base/errors.ts';
import { ifThere } from '../../base/if-there.ts';

const ROUNDS = 20;

/** `tag` is a `NAME=value`; repeats until a round finds nothing, because processes may fork while we look. */
export async function endProcesses(tag: string, leaders: readonly number[]): Promise<void> {
  for (const pid of leaders) signal(-pid);
  for (let round = 0; round < ROUNDS; round++) {
    const found = await taggedProcesses(tag);
    if (found.length === 0) return;
    for (const pid of found) signal(pid);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH' && systemErrorCode(error) !== 'EPERM') throw error;
  }
}

/** Living processes only: a zombie has no environment left. */
async function taggedProcesses(tag: string): Promise<number[]> {
  const pids = (await readdirIfThere('/proc')).map(Number).filter(pid => pid > 1 && pid !== process.pid);
  const tagged = await Promise.all(pids.map(pid => carries(pid, tag)));
  return pids.filter((_, at) => tagged[at]);
}

async function carries(pid: number, tag: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0').includes(tag);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

/** Empty where there is no /proc. */
async function readdirIfThere(dir: string): Promise<string[]> {
  return (await ifThere(readdir(dir))) ?? [];
}
