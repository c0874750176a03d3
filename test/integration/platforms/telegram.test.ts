// What is Telegram's own: its answers, its limits, its groups. What all platforms do alike is proved by
// test/conformance-platforms.
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { connectTelegram, type TelegramLine } from './telegram-line.ts';

const chat: Chat = { id: '42', kind: 'private' };
const MIB = 1024 * 1024;

let telegram: TelegramDouble;
let line: TelegramLine;

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );

beforeEach(async () => {
  telegram = await startTelegram();
  line = await connectTelegram(telegram);
});
afterEach(async () => {
  await line.connection.close();
  await telegram.close();
});

describe('sending', () => {
  it('fetches no preview of addresses in an answer', async () => {
    await line.connection.send(chat, { text: 'see https://example.org/?q=secret' });
    const { params } = await telegram.whenCalled('sendMessage');
    expect(params['link_preview_options']).toEqual({ is_disabled: true });
  });

  it('sends an image as a photo, and as a document when Telegram does not take it for one', async () => {
    const file = { name: 'chart.png', bytes: Buffer.from('png') };
    await line.connection.sendFile(chat, file);
    telegram.fault(
      'sendPhoto',
      { status: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' },
      { times: 2 },
    );
    await line.connection.sendFile(chat, { ...file, caption: 'wide' });
    expect(telegram.sent.map(each => [each.file?.kind, each.file?.name, each.text])).toEqual([
      ['photo', 'chart.png', ''],
      ['document', 'chart.png', 'wide'],
    ]);
  });

  it('sends a caption that is too long as a text of its own', async () => {
    const caption = 'word '.repeat(300).trim();
    const { ids } = await line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a'), caption });
    expect(telegram.sent.map(({ id, text }) => [id, text])).toEqual([
      [ids[0], ''],
      [ids[1], caption],
    ]);
  });

  it('follows a group that has become a supergroup', async () => {
    telegram.fault('sendMessage', {
      status: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -100777 },
    });
    await line.connection.send({ id: '-5', kind: 'group' }, { text: '**hi**' });
    expect(telegram.sent).toMatchObject([{ chat: '-100777', text: 'hi' }]);
  });

  it.each([
    ['drop', true],
    ['drop-after', true],
    ['bad-gateway', true],
    ['server-error', false],
    ['hang', true],
  ] as const)('after %s says whether the message may have arrived: %s', async (fault, mayBeDelivered) => {
    telegram.fault('sendMessage', fault);
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered } });
    expect(telegram.sent).toHaveLength(fault === 'drop-after' ? 1 : 0);
  });

  it('says that nothing arrived where nothing answers', async () => {
    const other = await startTelegram();
    const alone = await connectTelegram(other);
    await other.close();
    const error = await failure(alone.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered: false } });
    await alone.connection.close();
  });

  it('leaves a limit of more than a minute to the caller', async () => {
    telegram.fault('sendMessage', { retryAfterSeconds: 900 });
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { retryAfterMs: 900_000 } });
    await line.connection.send({ id: '43', kind: 'private' }, { text: 'others are not held up' });
  });

  it('keeps the parts of two long answers to one chat apart', async () => {
    const answers = ['a', 'b'].map(letter => `${letter} `.repeat(5000).trim());
    await Promise.all(answers.map(text => line.connection.send(chat, { text })));
    const order = telegram.sent.map(({ text }) => text[0]).join('');
    expect(order).toBe('aaabbb');
  });
});

describe('files of people', () => {
  it('are not fetched when they are larger than Telegram lets bots fetch', async () => {
    telegram.say(42, 'big', { file: { name: 'big.bin', bytes: Buffer.alloc(20 * MIB + 1) } });
    const event = await line.event(({ kind }) => kind === 'message');
    const [file] = event.kind === 'message' ? event.files : [];
    expect(file).toMatchObject({ name: 'big.bin', size: 20 * MIB + 1 });
    const error = await failure(line.connection.fetchFile(file?.ref));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', message: expect.stringContaining('too big') });
  });

  it('are asked for again when the server fails', async () => {
    telegram.say(42, 'x', { file: { name: 'photo', kind: 'photo', bytes: Buffer.from('pixels') } });
    const event = await line.event(({ kind }) => kind === 'message');
    telegram.fault('getFile', 'server-error');
    telegram.fault('file', 'drop');
    const [file] = event.kind === 'message' ? event.files : [];
    expect(Buffer.from(await line.connection.fetchFile(file?.ref)).toString()).toBe('pixels');
  });

  it('are not fetched from another server that the first one names', async () => {
    const other = await startTelegram();
    telegram.say(42, 'x', { file: { name: 'a.txt', bytes: Buffer.from('x') } });
    const event = await line.event(({ kind }) => kind === 'message');
    const [file] = event.kind === 'message' ? event.files : [];
    telegram.fault('file', { redirectTo: other.apiRoot }, { times: 9 });
    const error = await failure(line.connection.fetchFile(file?.ref));
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    expect(inspect(error, { depth: 9 })).not.toContain(telegram.token);
    expect(other.calls).toEqual([]);
    await other.close();
  });
});

describe('taking messages', () => {
  it('removes a webhook that is in the way, and says so', async () => {
    await line.connection.close();
    const url = `${telegram.apiRoot}/bot${telegram.token}/setWebhook`;
    const body = JSON.stringify({ url: 'https://old.example/hook' });
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    line = await connectTelegram(telegram);
    telegram.say(42, 'hello');
    await line.event(({ kind }) => kind === 'message');
    expect(line.log.join('')).toContain('old.example');
  });

  it('waits as long as the server asks', async () => {
    telegram.say(42, 'first');
    await line.event(({ kind }) => kind === 'message');
    telegram.fault('getUpdates', { retryAfterSeconds: 4 });
    telegram.say(42, 'wake up');
    const began = performance.now();
    await line.state('offline');
    telegram.say(42, 'second');
    await line.event(event => event.kind === 'message' && event.text === 'second');
    expect(performance.now() - began).toBeGreaterThanOrEqual(4000 / 20 - 10);
  });

  it('takes a chat that is stored slowly for no reason to hold up another', async () => {
    await line.connection.close();
    const slow = Promise.withResolvers<void>();
    telegram.say(1, 'slow');
    telegram.say(2, 'quick');
    line = await connectTelegram(telegram, event =>
      event.sender.id === '1' ? slow.promise : Promise.resolve(),
    );
    await line.event(({ sender }) => sender.id === '2');
    slow.resolve();
    await line.event(({ sender }) => sender.id === '1');
  });
});

describe('a token', () => {
  it.each(['wrong', '1:2 3', '700001:../../x', '1:\n'])(
    'that is none is refused without a call: %j',
    async token => {
      const calls = telegram.calls.length;
      const error = await failure(connectTelegram({ apiRoot: telegram.apiRoot, token }));
      expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
      expect(error.message).toContain('@BotFather');
      expect(telegram.calls.filter(({ method }) => method === 'getMe').length).toBeLessThanOrEqual(calls);
    },
  );

  it('that Telegram never gave out is refused', async () => {
    telegram.fault('getMe', { status: 404, description: 'Not Found' });
    const error = await failure(connectTelegram(telegram));
    expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
    expect(inspect(error, { depth: 9 })).not.toContain(telegram.token);
  });

  it('is not needed: without one there is no platform', async () => {
    const error = await failure(connectTelegram({ apiRoot: telegram.apiRoot, token: '' }));
    expect(error.message).toMatch(/TELEGRAM_BOT_TOKEN|there is none/);
  });
});
