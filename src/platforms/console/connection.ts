// A live console: reads one line after the other, the next one when the last is stored, and writes answers.
import type { Readable, Writable } from 'node:stream';
import { asHermesError, HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { stripAnsi } from '../../base/strip-ansi.ts';
import { sendParts, wholePart } from '../message-parts.ts';
import type { Chat, Connection, ConnectOptions, PlatformCapabilities, PlatformContext } from '../platform.ts';
import { linesOf, type Read } from './lines.ts';
import { fileRef, parseJsonLine, parseTextLine } from './parse.ts';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface ConsoleOptions extends Streams {
  readonly mode: 'text' | 'json';
  readonly capabilities: PlatformCapabilities;
}

const MOST_REMEMBERED = 1000;
const LONGEST_LINE = 4 * 1024 * 1024;

export function connectConsole(
  { mode, capabilities, input, output }: ConsoleOptions,
  { log }: PlatformContext,
  { receive, onState, signal }: ConnectOptions,
): Connection {
  signal?.throwIfAborted();
  const isJson = mode === 'json';
  let isPaused = false;
  const write = writerOf(output);
  const tell = (value: object): Promise<void> => (isJson ? write(JSON.stringify(value)) : Promise.resolve());
  const take = async (read: Read): Promise<void> => {
    const parsed =
      read.kind === 'too long'
        ? { kind: 'malformed' as const, reason: `A line is longer than ${LONGEST_LINE} characters.` }
        : (isJson ? parseJsonLine : parseTextLine)(read.text, newId);
    if (parsed.kind === 'ignored') return;
    if (parsed.kind === 'malformed') return tell({ type: 'error', reason: parsed.reason });
    const { id } = parsed.event;
    try {
      await receive(parsed.event);
      await tell({ type: 'ack', id });
    } catch (error) {
      // It was not stored; whoever wrote it can send it again.
      log.warn({ error: asHermesError(error).message, event: id }, 'a line was not taken');
      await tell({ type: 'error', id, reason: 'It was not taken. Send it again.' });
    }
  };
  const reading = (async () => {
    for await (const read of linesOf(input, LONGEST_LINE)) {
      if (isPaused) break;
      await take(read);
    }
  })();
  const pause = (): void => {
    isPaused = true;
    input.destroy();
  };
  signal?.addEventListener('abort', pause, { once: true });
  onState({ kind: 'connected' });
  const ended = reading.then(
    () => 'the input has ended',
    error => {
      if (!isPaused) log.warn({ error: String(error) }, 'the input cannot be read any more');
      return 'the input cannot be read any more';
    },
  );
  void ended.then(reason => {
    if (!isPaused) onState({ kind: 'failed', code: 'UNAVAILABLE_PLATFORM', reason });
  });
  return {
    account: isJson ? 'JSON lines on standard input and output' : 'lines on standard input and output',
    ...sending({ isJson, capabilities, write, tell }),
    fetchFile: async ref => Buffer.from(fileRef.parse(ref).base64, 'base64'),
    async pause() {
      pause();
      await ended;
    },
    async close() {
      signal?.removeEventListener('abort', pause);
      pause();
      await ended;
    },
  };
}

interface Sending {
  readonly isJson: boolean;
  readonly capabilities: PlatformCapabilities;
  readonly write: (line: string) => Promise<void>;
  readonly tell: (value: object) => Promise<void>;
}

type Outgoing = Pick<Connection, 'send' | 'sendFile' | 'edit' | 'typing' | 'answerButton' | 'announce'>;

function sending({ isJson, capabilities, write, tell }: Sending): Outgoing {
  const { maxFileOut } = capabilities;
  /** What can be edited; the oldest are forgotten. */
  const sent = new Set<string>();
  const told = async (frame: { readonly type: string; readonly id: string }): Promise<string> => {
    const [oldest] = sent;
    if (sent.size >= MOST_REMEMBERED && oldest !== undefined) sent.delete(oldest);
    await tell(frame);
    sent.add(frame.id);
    return frame.id;
  };
  return {
    send: (chat, message) =>
      sendParts(message, capabilities, async part => {
        const id = newId();
        if (isJson) return told({ type: 'message', id, ...placeOf(chat), ...part });
        await write(stripAnsi(part.text));
        return id;
      }),
    async sendFile(chat, { name, bytes, caption }) {
      if (maxFileOut === 0 || bytes.length > maxFileOut) {
        const message = `The file ${name} has ${bytes.length} bytes; the console takes ${maxFileOut}.`;
        throw new HermesError('USAGE_NOT_DELIVERED', message);
      }
      const base64 = Buffer.from(bytes).toString('base64');
      const file = { type: 'file', id: newId(), ...placeOf(chat), name, base64 };
      return { ids: [await told({ ...file, ...(caption === undefined ? {} : { caption }) })] };
    },
    ...(isJson
      ? {
          async edit(chat, id, message) {
            const part = wholePart(message, capabilities);
            if (!sent.has(id))
              throw new HermesError('USAGE_NOT_DELIVERED', 'There is no such message any more.');
            await tell({ type: 'edit', id, ...placeOf(chat), ...part });
          },
          typing: chat => tell({ type: 'typing', ...placeOf(chat) }),
          answerButton: (id, text) => tell({ type: 'button-answer', id, text }),
          announce: commands => tell({ type: 'commands', commands }),
        }
      : {}),
  };
}

function placeOf({ id, kind, thread }: Chat): object {
  return { chat: id, kind, ...(thread === undefined ? {} : { thread }) };
}

/** Resolves when the stream has taken the line. */
function writerOf(output: Writable): (line: string) => Promise<void> {
  return line =>
    new Promise((resolve, reject) => {
      output.write(`${line}\n`, error => {
        if (!error) return resolve();
        reject(
          new HermesError('USAGE_NOT_DELIVERED', 'The output is closed; nobody reads it.', { cause: error }),
        );
      });
    });
}
