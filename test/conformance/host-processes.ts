// Looks at the processes of this machine, whichever sandbox they are in.
import { readdir, readFile } from 'node:fs/promises';
import { systemErrorCode } from '../../src/base/errors.ts';

/** Those whose arguments contain the text. One that has ended and not been collected has no arguments. */
export function hostProcesses(text: string): Promise<readonly number[]> {
  return processesThat(command => command.includes(text));
}

/** Those that are this command, and no shell that has yet to come to it. */
export function hostProcessesOf(command: string): Promise<readonly number[]> {
  return processesThat(each => each.trimEnd() === command);
}

async function processesThat(holds: (command: string) => boolean): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 1 && pid !== process.pid);
  const commands = await Promise.all(pids.map(argumentsOf));
  return pids.filter((_, at) => holds(commands[at] ?? ''));
}

async function argumentsOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
