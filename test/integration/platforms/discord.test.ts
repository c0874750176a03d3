// What is Discord's own: its limits, its files, its commands and its servers. What all platforms do alike is proved by
// test/conformance-platforms, what its gateway does on bad days by discord-gateway.test.ts.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import { type DiscordDouble, startDiscord } from '../../doubles/discord-server.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';
import { connectDiscord, type DiscordLine, discordPlatform } from './discord-line.ts';

const ADA = { id: '420000000000004201', name: 'Ada' };
const HALL = { id: '900000000000000001', type: 0 };
const POST = 'POST /channels/*/messages';
const MIB = 1024 * 1024;

let discord: DiscordDouble;
let line: DiscordLine;
let chat: Chat;

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );
const mention = (text: string): string => `<@${discord.bot.id}> ${text}`;

beforeEach(async () => {
  discord = await startDiscord();
  discord.world.add(HALL);
  line = await connectDiscord(discord);
  chat = { id: discord.world.privateOf(ADA).id, kind: 'private' };
});
afterEach(async () => {
  await line.connection.close();
  await discord.close();
});

describe('sending', () => {
  it('pings nobody, and fetches no preview of addresses in an answer', async () => {
    await line.connection.send(chat, {
      text: '@everyone <@420000000000004201> https://example.org/?q=secret',
    });
    const file = { name: 'a.txt', bytes: Buffer.from('x'), caption: '@here' };
    const [id = ''] = (await line.connection.sendFile(chat, file)).ids;
    await line.connection.edit?.(chat, id, { text: '@everyone' });
    expect(discord.sent.map(({ mayPing, flags }) => [mayPing, flags])).toEqual([
      [false, 4],
      [false, 4],
    ]);
  });

  it.each([
    ['drop', true],
    ['drop-after', true],
    ['bad-gateway', true],
    ['server-error', false],
    ['hang', true],
  ] as const)('after %s says whether the message may have arrived: %s', async (fault, mayBeDelivered) => {
    discord.fault(POST, fault);
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered } });
    expect(discord.sent).toHaveLength(fault === 'drop-after' ? 1 : 0);
  });

  it('survives an upload that breaks off', async () => {
    discord.fault(POST, 'drop', { times: 3 });
    for (let at = 0; at < 3; at++) {
      const error = await failure(
        line.connection.sendFile(chat, { name: 'a', bytes: Buffer.alloc(5 * MIB) }),
      );
      expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    }
  });

  it('leaves a limit of more than a minute to the caller, and holds up nobody else', async () => {
    discord.fault(POST, { retryAfterSeconds: 900 });
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { retryAfterMs: 900_000 } });
    await line.connection.send({ id: HALL.id, kind: 'group' }, { text: 'others are not held up' });
  });

  it('keeps the parts of two long answers to one chat apart', async () => {
    const answers = ['a', 'b'].map(letter => `${letter} `.repeat(2500).trim());
    await Promise.all(answers.map(text => line.connection.send(chat, { text })));
    expect(discord.sent.map(({ text }) => text[0]).join('')).toBe('aaabbb');
  });

  it('puts more than five buttons into rows', async () => {
    const row = Array.from({ length: 7 }, (_, at) => ({ label: `b${at}`, data: String(at) }));
    await line.connection.send(chat, { text: 'q', buttons: [row] });
    expect(discord.sent[0]?.buttons.map(each => each.length)).toEqual([5, 2]);
  });

  it('opens a private chat once with somebody who never wrote', async () => {
    const stranger: Chat = { id: '420000000000004299', kind: 'private' };
    const { ids } = await line.connection.send(stranger, { text: 'one' });
    await line.connection.edit?.(stranger, ids[0] ?? '', { text: 'One' });
    await line.connection.send(stranger, { text: 'two' });
    expect(discord.calls.filter(({ path }) => path === '/users/@me/channels')).toHaveLength(1);
    const channel = discord.world.privateOf(stranger).id;
    expect(discord.sent).toMatchObject([
      { channel, text: 'One' },
      { channel, text: 'two' },
    ]);
  });

  it('sends a caption that is too long as texts of their own', async () => {
    const caption = 'word '.repeat(500).trim();
    const { ids } = await line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a'), caption });
    expect(discord.sent.map(({ id, file }) => [id, file !== undefined])).toEqual(
      ids.map((id, at) => [id, at === 0]),
    );
  });
});

describe('the limits of Discord', () => {
  let clock: ManualClock;

  beforeEach(async () => {
    await line.connection.close();
    await discord.close();
    clock = manualClock(Date.now());
    discord = await startDiscord({ clock, limits: 'enforced' });
    discord.world.add(HALL);
    chat = { id: discord.world.privateOf(ADA).id, kind: 'private' };
    line = await connectDiscord(discord, { clock });
    // The library measures limits by the date.
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  });
  afterEach(() => vi.useRealTimers());

  /** Resolves when the driver waits that long. It polls by itself, since vitest's polls move the date. */
  async function waiting(ms: number): Promise<void> {
    for (const end = performance.now() + 10_000; !clock.pending().includes(ms); ) {
      if (performance.now() > end) throw new Error(`nobody waits ${ms} ms, but ${clock.pending()}`);
      await new Promise(setImmediate);
    }
  }
  async function pass(ms: number): Promise<void> {
    await waiting(ms);
    vi.setSystemTime(clock.now() + ms);
    clock.advance(ms);
  }
  const posts = (): number =>
    discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).length;

  it('that it has announced are not run into: nothing is lost, doubled or refused', async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `message ${at}`);
    const sent = Promise.all(texts.map(text => line.connection.send(chat, { text })));
    for (let late = 0; late < 3; late++) await pass(1200);
    await sent;
    expect(discord.sent.map(({ text }) => text)).toEqual(texts);
    expect(posts()).toBe(8);
  });

  it.each(['user', 'shared', 'global'] as const)(
    'of scope %s are waited for as long as it asks',
    async scope => {
      discord.fault(POST, { retryAfterSeconds: 7, scope });
      const sent = line.connection.send(chat, { text: 'late' });
      await pass(7000);
      await sent;
      expect([discord.sent.map(({ text }) => text), posts()]).toEqual([['late'], 2]);
    },
  );

  it('that are global hold up every chat, and others only their own', async () => {
    const hall: Chat = { id: HALL.id, kind: 'group' };
    discord.fault(POST, { retryAfterSeconds: 5, scope: 'shared' });
    const first = line.connection.send(chat, { text: 'to one' });
    await waiting(5000);
    await line.connection.send(hall, { text: 'meanwhile' });
    await pass(5000);
    await first;
    discord.fault(POST, { retryAfterSeconds: 5, scope: 'global' });
    const both = Promise.all([chat, hall].map(to => line.connection.send(to, { text: 'to both' })));
    await pass(5000);
    await both;
    expect(discord.sent.map(({ text }) => text)).toEqual(['meanwhile', 'to one', 'to both', 'to both']);
  });
});

describe('files of people', () => {
  const fetched = async (): Promise<Uint8Array> => {
    const { files } = await line.message('x');
    return line.connection.fetchFile(files[0]?.ref);
  };

  it('are not fetched beyond the limit', async () => {
    discord.say(ADA, 'x', { file: { name: 'big.bin', bytes: Buffer.alloc(25 * MIB + 1) } });
    const error = await failure(fetched());
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', message: expect.stringContaining('25 MB') });
  });

  it('are found again when their address has expired', async () => {
    discord.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('pixels') } });
    discord.fault('GET /attachments/*', {
      status: 404,
      code: 0,
      message: 'This content is no longer available.',
    });
    expect(Buffer.from(await fetched()).toString()).toBe('pixels');
    expect(discord.calls.map(({ path }) => path).filter(path => /\/messages\/\d+$/.test(path))).toHaveLength(
      1,
    );
  });

  it('are gone when their message is', async () => {
    const { id: fileId } = { id: '900000000000000099' };
    const ref = {
      channelId: HALL.id,
      messageId: '1',
      fileId,
      url: `${discord.apiRoot}/attachments/${fileId}`,
    };
    expect((await failure(line.connection.fetchFile(ref))).code).toBe('USAGE_NOT_DELIVERED');
  });

  it('are asked for again when the server fails', async () => {
    discord.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('pixels') } });
    discord.fault('GET /attachments/*', 'server-error');
    discord.fault('GET /attachments/*', 'drop');
    expect(Buffer.from(await fetched()).toString()).toBe('pixels');
  });

  it.each(['elsewhere', 'by a detour'])('are not fetched from another server, %s', async way => {
    const other = await startDiscord();
    discord.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('x') } });
    const { files } = await line.message('x');
    const ref = files[0]?.ref as { url: string }; // ours
    const address = `${other.apiRoot}/attachments/1`;
    if (way === 'by a detour') discord.fault('GET /attachments/*', { redirectTo: address }, { times: 9 });
    await failure(line.connection.fetchFile(way === 'elsewhere' ? { ...ref, url: address } : ref));
    expect(other.calls).toEqual([]);
    await other.close();
  });
});

describe('commands and presses', () => {
  it('a command with a slash is what somebody would have typed', async () => {
    const id = discord.slash(ADA, 'approve', 'k3x9 once');
    expect(await line.message('/approve k3x9 once')).toMatchObject({ id, chat, isAddressed: true });
    discord.slash(ADA, 'stop', '', HALL);
    expect(await line.message('/stop')).toMatchObject({ chat: { id: HALL.id, kind: 'group' } });
  });

  it('is taken at once, before it is stored, and nobody else sees anything of it', async () => {
    const stored = Promise.withResolvers<void>();
    await line.connection.close();
    line = await connectDiscord(discord, { receive: () => stored.promise });
    discord.slash(ADA, 'status', '', HALL);
    const taken = await discord.whenCalled('POST /interactions/*/*/callback');
    // 5 = something is coming; 64 = only for whoever typed it.
    expect(taken.body).toEqual({ type: 5, data: { flags: 64 } });
    expect(discord.calls.some(({ method }) => method === 'DELETE')).toBe(false);
    stored.resolve();
    await discord.whenCalled('DELETE /webhooks/*/*/messages/@original');
    expect(discord.sent).toEqual([]);
  });

  it('a press is taken at once, and its answer is seen by whoever pressed', async () => {
    const buttons = [[{ label: 'Yes', data: 'y' }]];
    const { ids } = await line.connection.send({ id: HALL.id, kind: 'group' }, { text: 'May I?', buttons });
    discord.press(ADA, ids[0] ?? '', 'y');
    const { id } = await line.button();
    expect((await discord.whenCalled('POST /interactions/*/*/callback')).body).toEqual({ type: 6 });
    await line.connection.answerButton?.(id, 'Approved.');
    const { body } = await discord.whenCalled('POST /webhooks/*/*');
    expect(body).toMatchObject({ content: 'Approved.', flags: 64 });
  });

  it('a press that was answered too late, or twice, is given all the same, and ends nothing', async () => {
    const buttons = [[{ label: 'Yes', data: 'y' }]];
    const { ids } = await line.connection.send(chat, { text: 'May I?', buttons });
    const codes = [
      { status: 404, code: 10_062, message: 'Unknown interaction' },
      { status: 400, code: 40_060, message: 'Interaction has already been acknowledged.' },
    ];
    for (const [at, refusal] of codes.entries()) {
      discord.fault('POST /interactions/*/*/callback', refusal);
      const id = discord.press(ADA, ids[0] ?? '', 'y');
      const press = await line.event(event => event.id === id);
      const error = await failure(Promise.resolve(line.connection.answerButton?.(press.id, 'Done')));
      expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', details: { code: 10_015 } });
      await line.connection.edit?.(chat, ids[0] ?? '', { text: `Done ${at}` });
    }
    expect(line.states).toEqual([{ kind: 'connected' }]);
  });

  it('a press whose token has expired is a failure of the notice, not of the bot’s token', async () => {
    await line.connection.close();
    await discord.close();
    const clock = manualClock();
    discord = await startDiscord({ clock });
    line = await connectDiscord(discord);
    chat = { id: discord.world.privateOf(ADA).id, kind: 'private' };
    const { ids } = await line.connection.send(chat, {
      text: 'May I?',
      buttons: [[{ label: 'Yes', data: 'y' }]],
    });
    discord.press(ADA, ids[0] ?? '', 'y');
    const { id } = await line.button();
    await discord.whenCalled('POST /interactions/*/*/callback');
    // One more call, so that the first answer is over.
    await line.connection.typing?.(chat);
    clock.advance(15 * 60_000 + 1);
    const error = await failure(Promise.resolve(line.connection.answerButton?.(id, 'Done')));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', details: { code: 50_027 } });
    expect(line.states).toEqual([{ kind: 'connected' }]);
  });

  it('a press of long ago is not answered', async () => {
    const error = await failure(Promise.resolve(line.connection.answerButton?.('1', 'x')));
    expect(error.code).toBe('USAGE_NOT_DELIVERED');
  });
});

describe('in a server', () => {
  const reconnect = async (environment: Readonly<Record<string, string>>): Promise<void> => {
    await line.connection.close();
    line = await connectDiscord(discord, { environment });
  };

  it('a mention and a reply are for the bot, and everything in a free channel and its threads', async () => {
    const free = { id: '900000000000000002', type: 0 };
    const thread = { id: '900000000000000003', type: 11, parent: free.id };
    await reconnect({ DISCORD_FREE_CHANNELS: `1,${free.id}` });
    const { ids } = await line.connection.send({ id: HALL.id, kind: 'group' }, { text: 'hello' });
    discord.say(ADA, 'a reply', { place: HALL, replyTo: ids[0] ?? '' });
    discord.say(ADA, 'to nobody', { place: HALL });
    discord.say(ADA, mention('a mention'), { place: HALL });
    discord.say(ADA, 'freely', { place: free });
    discord.say(ADA, 'in its thread', { place: thread });
    const texts = ['a reply', 'to nobody', 'a mention', 'freely', 'in its thread'];
    const found = await Promise.all(texts.map(text => line.message(text)));
    expect(found.map(({ isAddressed }) => isAddressed)).toEqual([true, false, true, true, true]);
  });

  it('a thread that is not known yet is asked for once', async () => {
    const thread = { id: '900000000000000004', type: 11, parent: HALL.id };
    discord.world.add(thread);
    for (const text of ['one', 'two']) discord.say(ADA, mention(text), { place: thread });
    const found = await Promise.all([line.message('one'), line.message('two')]);
    for (const { chat: own } of found) expect(own).toEqual({ id: HALL.id, kind: 'group', thread: thread.id });
    const asked = discord.calls.filter(({ path }) => path === `/channels/${thread.id}`);
    expect(asked).toHaveLength(1);
  });

  describe('with a thread per conversation', () => {
    const opening = 'POST /channels/*/messages/*/threads';
    beforeEach(() => reconnect({ DISCORD_THREAD_PER_CONVERSATION: 'true' }));

    it('P1: a thread is opened when something is said in it, not before', async () => {
      discord.say(ADA, mention('What is new?'), { place: HALL });
      const event = await line.message('What is new?');
      expect(event.chat).toEqual({ id: HALL.id, kind: 'group', thread: event.id });
      await line.connection.typing?.(event.chat);
      expect(discord.calls.some(({ path }) => path.endsWith('/threads'))).toBe(false);
      await line.connection.send(event.chat, { text: 'This.' });
      expect((await discord.whenCalled(opening)).body).toMatchObject({ name: 'What is new?' });
      expect(discord.sent).toMatchObject([{ channel: event.id, text: 'This.' }]);
      // In it nobody has to mention the bot, and it is the same conversation.
      discord.say(ADA, 'And?', { place: { id: event.id, type: 11 } });
      expect(await line.message('And?')).toMatchObject({ chat: event.chat, isAddressed: true });
    });

    it('is opened also when a restart came between', async () => {
      discord.say(ADA, mention('hello'), { place: HALL });
      const { chat: own } = await line.message('hello');
      await reconnect({ DISCORD_THREAD_PER_CONVERSATION: 'true' });
      await line.connection.send(own, { text: 'late' });
      expect(discord.sent).toMatchObject([{ channel: own.thread, text: 'late' }]);
    });

    it('answers in the channel where it may not open one', async () => {
      discord.say(ADA, mention('hello'), { place: HALL });
      const { chat: own } = await line.message('hello');
      discord.fault(opening, { status: 403, code: 50_013, message: 'Missing Permissions' });
      for (const text of ['one', 'two']) {
        const { ids } = await line.connection.send(own, { text });
        await line.connection.edit?.(own, ids[0] ?? '', { text: `${text}!` });
      }
      expect(discord.sent.map(({ channel, text }) => [channel, text])).toEqual([
        [HALL.id, 'one!'],
        [HALL.id, 'two!'],
      ]);
    });
  });
});

describe('the account', () => {
  it.each(['wrong', 'a.b', 'a.b.c d', '1.2.\n'])(
    'a token that is none is refused without a call: %j',
    async token => {
      const calls = discord.calls.length;
      const error = await failure(connectDiscord({ apiRoot: discord.apiRoot, token }));
      expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
      expect(error.message).toContain('Reset Token');
      expect(discord.calls).toHaveLength(calls);
    },
  );

  it('is told apart from whatever else answers there', async () => {
    const error = await failure(connectDiscord({ ...discord, apiRoot: `${discord.apiRoot}/nothing` }));
    expect(error).toMatchObject({
      code: 'UNAVAILABLE_PLATFORM',
      message: expect.stringContaining('discord.api_root'),
    });
  });

  it('that may not read messages is said before anything is listened to, also by the doctor', async () => {
    const strict = await startDiscord({ contentIntent: 'off' });
    const platform = await discordPlatform(strict, {}, []);
    for (const error of [
      await failure(connectDiscord(strict)),
      await failure(platform.check?.() ?? Promise.resolve()),
    ]) {
      expect(error).toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('Message Content Intent'),
      });
    }
    expect(strict.gateway.heard).toEqual([]);
    await strict.close();
  });

  it('is checked without a session', async () => {
    const platform = await discordPlatform(discord, {}, []);
    const sessions = discord.gateway.sessions.count;
    expect(await platform.check?.()).toBe('as hermes-test');
    expect(discord.gateway.sessions.count).toBe(sessions);
  });
});
