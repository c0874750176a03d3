import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import type { PlatformEvent, PlatformState } from '../platform.ts';
import { createConsole } from './index.ts';
import { linesOf } from './lines.ts';

const log = createLog({ level: 'silent', destination: { write() {} }, redact: line => line, now: () => 0 });

async function connected(mode: 'text' | 'json', receive?: (event: PlatformEvent) => Promise<void>) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const events: PlatformEvent[] = [];
  const ended = Promise.withResolvers<PlatformState>();
  let written = '';
  output.setEncoding('utf8').on('data', piece => {
    written += piece;
  });
  const connection = await createConsole(
    { mode, streams: () => ({ input, output }) },
    { clock: systemClock, log },
  ).connect({
    async receive(event) {
      await receive?.(event);
      events.push(event);
    },
    onState: state => {
      if (state.kind === 'failed') ended.resolve(state);
    },
  });
  return { input, events, connection, ended: ended.promise, written: () => written };
}

const chat = { id: 'console', kind: 'private' } as const;

describe('the console in text', () => {
  it('takes a line for a message and writes answers as they are, without control of the terminal', async () => {
    const { input, events, connection, ended, written } = await connected('text');
    input.end('hello\r\n\n  \nlast');
    expect(await ended).toMatchObject({ kind: 'failed', reason: 'the input has ended' });
    expect(events.map(event => event.kind === 'message' && event.text)).toEqual(['hello', 'last']);
    await connection.send(chat, { text: 'a\u001b[31mb\n**c**', buttons: [[{ label: 'l', data: 'd' }]] });
    expect(written()).toBe('ab\n**c**\n');
  });

  it('can do neither edits nor files', async () => {
    const { connection } = await connected('text');
    expect([connection.edit, connection.typing, connection.answerButton]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await expect(connection.sendFile(chat, { name: 'x', bytes: Buffer.from('') })).rejects.toMatchObject({
      code: 'USAGE_NOT_DELIVERED',
    });
    await connection.close();
  });
});

describe('the console in JSON', () => {
  it('acknowledges what was stored, and says what was not', async () => {
    const refuse = async (event: PlatformEvent): Promise<void> => {
      if (event.id === 'bad') throw new Error('disk full');
    };
    const { input, ended, written } = await connected('json', refuse);
    for (const line of [
      '{"type":"message","id":"good","text":"a"}',
      '{"type":"message","id":"bad","text":"b"}',
      '{',
    ])
      input.write(`${line}\n`);
    input.end();
    await ended;
    const answers = written()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.map(({ type, id }) => [type, id])).toEqual([
      ['ack', 'good'],
      ['error', 'bad'],
      ['error', undefined],
    ]);
  });
});

it('lines that are too long are left out and told; the next one is whole', async () => {
  const read: unknown[] = [];
  const pieces = [
    'short\nxxxx',
    'xxxxxxxx',
    'xx\nnext\n',
    Buffer.from('ä\n').subarray(0, 1),
    Buffer.from('ä\n').subarray(1),
    'y'.repeat(9),
  ];
  const input = (async function* () {
    yield* pieces;
  })();
  for await (const each of linesOf(input, 8)) read.push(each.kind === 'line' ? each.text : each.kind);
  expect(read).toEqual(['short', 'too long', 'next', 'ä', 'too long']);
});
