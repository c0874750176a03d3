// The question of `hermes chat -q`, with what comes through a pipe.
import { directCommand } from '../../agent/direct-command.ts';
import { sleep } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import type { Message } from './perform-turn.ts';

/** More than that is no part of a message, but a file. */
const MOST_INLINE_BYTES = 32 * 1024;
const PATIENCE_MS = 2000;

const COMMAND_MISSING =
  "Behind the ! there is no command. Write one, such as hermes chat -q '!ls'; what comes through a pipe is its standard input.";
const COMMAND_PIPED =
  "What comes through a pipe is never run, and it begins with an !. Give the command with -q: hermes chat -q '!ls'; the pipe is then its standard input.";

/** Without `asked` the input is the question; with it, what it is about, or what the command behind `!` reads. */
export async function readQuestion(asked: string | undefined, context: CommandContext): Promise<Message> {
  const command = directCommand(asked ?? '');
  if (command === '') throw new HermesError('USAGE_BAD_ARGUMENTS', COMMAND_MISSING);
  const input = context.terminal().isTyped ? new Uint8Array() : await readPatiently(context);
  if (asked !== undefined && command !== undefined) {
    return { text: asked, ...(input.length === 0 ? {} : { stdin: input }) };
  }
  const text = textOf(input);
  if (asked === undefined) {
    if (text === undefined || text.trim() === '') {
      const message = 'There is no question. Give it with -q, through a pipe, or type it in a terminal.';
      throw new HermesError('USAGE_BAD_ARGUMENTS', message);
    }
    // What comes through a pipe is data, and nobody has typed it.
    if (directCommand(text) !== undefined) throw new HermesError('USAGE_BAD_ARGUMENTS', COMMAND_PIPED);
    return { text };
  }
  if (input.length === 0) return { text: asked };
  if (text !== undefined && input.length <= MOST_INLINE_BYTES) {
    return { text: `${asked}\n\nStandard input:\n\n${text}` };
  }
  const name = text === undefined ? 'stdin.bin' : 'stdin.txt';
  return { text: asked, files: [{ name, bytes: async () => input }] };
}

/** A pipe that nobody closes would look like a program that hangs. */
async function readPatiently(context: CommandContext): Promise<Uint8Array> {
  const done = new AbortController();
  const warning = sleep(context.clock, PATIENCE_MS, done.signal).then(
    () => context.note('reading standard input; it has to end, or use </dev/null'),
    () => undefined,
  );
  try {
    return await context.readBytes();
  } finally {
    done.abort();
    await warning;
  }
}

/** Undefined when it is none. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text.replace(/\n$/, '');
}
