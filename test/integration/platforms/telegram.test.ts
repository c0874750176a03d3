// What is Telegram's own: its answers, its limits, its groups. What all platforms do alike is proved by
// test/conformance-platforms.
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { hastyClock, recordingClock } from '../../fixtures/hasty-clock.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';
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
  telegram = await startTelegram({ clock: hastyClock });
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
    const group: Chat = { id: '-5', kind: 'group' };
    telegram.migrate(-5, -100777);
    const { ids } = await line.connection.send(group, { text: '**hi**' });
    await line.connection.edit?.(group, ids[0] ?? '', { text: 'hi again' });
    await line.connection.typing?.(group);
    await line.connection.send(group, { text: 'more' });
    expect(telegram.sent).toMatchObject([
      { chat: '-100777', text: 'hi again' },
      { chat: '-100777', text: 'more' },
    ]);
    // The old id is tried once, and never again.
    expect(telegram.calls.filter(({ params }) => params['chat_id'] === '-5')).toHaveLength(1);
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

describe('the limits of Telegram', () => {
  let clock: ManualClock;

  beforeEach(async () => {
    await line.connection.close();
    await telegram.close();
    clock = manualClock();
    telegram = await startTelegram({ clock });
    line = await connectTelegram(telegram, undefined, clock);
  });

  /** Lets time pass as soon as the driver waits that long. */
  async function pass(ms: number): Promise<void> {
    await expect.poll(() => clock.pending(), { message: `nobody waits ${ms} ms` }).toContain(ms);
    clock.advance(ms);
  }
  const sendings = (): number => telegram.calls.filter(({ method }) => method === 'sendMessage').length;

  it.each([
    ['a group', { id: '-7', kind: 'group' }, { burst: 20, everyMs: 3000 }],
    ['a private chat', chat, { burst: 5, everyMs: 1000 }],
  ] as const)('in %s delay messages, and none is lost, doubled or tried too early', async (_, to, limit) => {
    const { burst, everyMs } = limit;
    const texts = Array.from({ length: burst + 3 }, (_each, at) => `message ${at}`);
    const sent = Promise.all(texts.map(text => line.connection.send(to, { text })));
    for (let late = 0; late < 3; late++) await pass(everyMs);
    await sent;
    expect(telegram.sent.map(({ text }) => text)).toEqual(texts);
    // Each late one was refused once, and sent when Telegram allowed it.
    expect(sendings()).toBe(burst + 2 * 3);
  });

  it('of one chat hold up no other', async () => {
    const texts = Array.from({ length: 6 }, (_, at) => `message ${at}`);
    const sent = Promise.all(texts.map(text => line.connection.send(chat, { text })));
    await expect.poll(() => clock.pending()).toContain(1000);
    await line.connection.send({ id: '43', kind: 'private' }, { text: 'to another' });
    clock.advance(1000);
    await sent;
    expect(telegram.sent).toHaveLength(7);
  });

  it('make a press that was answered too late a failure of the notice alone', async () => {
    const { ids } = await line.connection.send(chat, {
      text: 'Sure?',
      buttons: [[{ label: 'Yes', data: 'y' }]],
    });
    telegram.press(42, ids[0] ?? '', 'y');
    const press = await line.event(({ kind }) => kind === 'button');
    clock.advance(16_000);
    const error = await failure(
      line.connection.answerButton?.(press.id, 'Done') ?? Promise.reject(new Error('no buttons')),
    );
    expect(error).toMatchObject({
      code: 'USAGE_NOT_DELIVERED',
      message: expect.stringContaining('query is too old'),
    });
    await line.connection.edit?.(chat, ids[0] ?? '', { text: 'Done' });
    expect(telegram.sent.at(-1)?.text).toBe('Done');
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
  it('goes on as soon as any other call works, and waits at most 10 s', async () => {
    await line.connection.close();
    const clock = manualClock();
    line = await connectTelegram(telegram, undefined, clock);
    const next = (): number => clock.pending().find(ms => ms <= 10_000) ?? Number.POSITIVE_INFINITY;
    const asked = (): number => telegram.calls.filter(({ method }) => method === 'getUpdates').length;
    for (let count = 0; count < 8; count++) telegram.fault('getUpdates', 'server-error');
    telegram.say(42, 'ends the call that is held');
    await line.state('offline');
    for (let count = 1; count < 8; count++) {
      const before = asked();
      await expect.poll(next, { message: 'the poller waits' }).toBeLessThanOrEqual(10_000);
      clock.advance(next());
      await expect.poll(asked).toBeGreaterThan(before);
    }
    await expect.poll(next).toBeLessThanOrEqual(10_000);
    telegram.say(42, 'after the outage');
    // No time passes: what was sent says that Telegram is there.
    await line.connection.send(chat, { text: 'x' });
    await line.event(event => event.kind === 'message' && event.text === 'after the outage');
  });

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
    await line.connection.close();
    const { clock, waits } = recordingClock();
    line = await connectTelegram(telegram, undefined, clock);
    telegram.say(42, 'first');
    await line.event(({ kind }) => kind === 'message');
    telegram.fault('getUpdates', { retryAfterSeconds: 4 });
    telegram.say(42, 'wake up');
    await line.state('offline');
    telegram.say(42, 'second');
    await line.event(event => event.kind === 'message' && event.text === 'second');
    expect(waits).toContain(4000);
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
