// The question of `hermes chat -q`, with what comes through a pipe.
import { sleep } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import type { Message } from './perform-turn.ts';

/** More than that is no part of a message, but a file. */
const MOST_INLINE_BYTES = 32 * 1024;
const PATIENCE_MS = 2000;

/** Without `asked` the input is the question; with it, what it is about. */
export async function readQuestion(asked: string | undefined, context: CommandContext): Promise<Message> {
  const input = context.terminal().isTyped ? new Uint8Array() : await readPatiently(context);
  const text = textOf(input);
  if (asked === undefined) {
    if (text === undefined || text.trim() === '') {
      const message = 'There is no question. Give it with -q, through a pipe, or type it in a terminal.';
      throw new HermesError('USAGE_BAD_ARGUMENTS', message);
    }
    return { text };
  }
  if (input.length === 0) return { text: asked };
  if (text !== undefined && input.length <= MOST_INLINE_BYTES) {
    return { text: `${asked}\n\nStandard input:\n\n${text}` };
  }
  return { text: asked, files: [{ name: 'stdin.txt', bytes: async () => input }] };
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
