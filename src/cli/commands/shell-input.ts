// What one types into `hermes shell`: lines that belong together become one command.
import type { SandboxHandle } from '../../sandboxes/handle.ts';
import type { Lines } from '../lines.ts';

const MORE = '> ';

/** Undefined at the end of the input; empty after Ctrl-C. */
export async function readCommand(
  lines: Lines,
  prompt: string,
  sandbox: SandboxHandle,
): Promise<string | undefined> {
  let command: string | undefined;
  do {
    const typed = await lines.next(command === undefined ? prompt : MORE);
    if (typed.kind === 'interrupted') return '';
    // What was begun is run as it stands; bash says what it lacks.
    if (typed.kind === 'end') return command;
    command = command === undefined ? typed.text : `${command}\n${typed.text}`;
  } while (await goesOn(command, sandbox));
  return command;
}

/** Bash itself knows best whether a command is complete, and it is there. */
async function goesOn(command: string, sandbox: SandboxHandle): Promise<boolean> {
  if (command.trim() === '') return false;
  if (/(?<!\\)(?:\\\\)*\\$/.test(command)) return true;
  const { stderr } = await sandbox.exec('LC_ALL=C bash -n', { stdin: `${command}\n` });
  return INCOMPLETE.test(stderr);
}

const INCOMPLETE = /unexpected end of file|unexpected EOF while looking|delimited by end-of-file/;
