// A process of the host by its id and its start: an id alone may belong to another one by now.
import { readdir, readFile } from 'node:fs/promises';
import { type Clock, sleep } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';

export interface HostProcess {
  readonly pid: number;
  /** In clock ticks since the machine's start. */
  readonly started: string;
}

/** Undefined when it has ended, also when nobody has collected it yet. */
export async function hostProcess(pid: number): Promise<HostProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ESRCH') return undefined;
    throw error;
  }
}

/** Those that have this word among their arguments, as bwrap has the name of its sandbox. One by one: files are few. */
export async function hostProcessesWith(word: string): Promise<readonly HostProcess[]> {
  const found: HostProcess[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || !(await argumentsOf(Number(name))).includes(word)) continue;
    const process = await hostProcess(Number(name));
    if (process) found.push(process);
  }
  return found;
}

async function argumentsOf(pid: number): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch (error) {
    // Ended meanwhile, or hidden from this user, whose it is not then.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return [];
    throw error;
  }
}

const LOOK_MS = 2;

/** Resolves when it has ended. */
export async function whenEnded(process: HostProcess, clock: Clock): Promise<void> {
  while ((await hostProcess(process.pid))?.started === process.started) await sleep(clock, LOOK_MS);
}

/** Ends it, unless it has ended already. */
export async function endHostProcess(target: HostProcess, clock: Clock): Promise<void> {
  if ((await hostProcess(target.pid))?.started !== target.started) return;
  try {
    process.kill(target.pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
  await whenEnded(target, clock);
}
