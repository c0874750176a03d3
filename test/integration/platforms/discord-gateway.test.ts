// Discord's gateway on bad days: sockets that close, die or lie, sessions that are forgotten, events that come twice or not at
// all. What is said is taken in once, and nothing is acknowledged before it is stored (P12).
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import { type DiscordDouble, type DiscordDoubleOptions, startDiscord } from '../../doubles/discord-server.ts';
import { recordingClock } from '../../fixtures/hasty-clock.ts';
import { fc } from '../../property.ts';
import { connectDiscord, type DiscordLine, type LineOptions } from './discord-line.ts';

const ADA = { id: '420000000000004201', name: 'Ada' };
const BOB = { id: '420000000000004202', name: 'Bob' };
const HALL = { id: '900000000000000001', type: 0 };

let discord: DiscordDouble;
let line: DiscordLine;
let home: string;

const start = async (options: DiscordDoubleOptions = {}, given: LineOptions = {}): Promise<void> => {
  discord = await startDiscord(options);
  discord.world.add(HALL);
  line = await connectDiscord(discord, { home, ...given });
};
const restart = async (given: LineOptions = {}): Promise<void> => {
  line = await connectDiscord(discord, { home, ...given });
};
const texts = (): readonly string[] => line.events.map(event => (event.kind === 'message' ? event.text : ''));
/** Frames that ask for a new session (2), or for the old one (6). */
const asked = (op: number): number => discord.gateway.heard.filter(frame => frame.op === op).length;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-discord-'));
});
afterEach(async () => {
  await line?.connection.close();
  await discord?.close();
  await rm(home, { recursive: true, force: true });
});

describe('a socket', () => {
  it('that Discord asks to come back does, to the same session, and nothing is lost', async () => {
    await start();
    discord.say(ADA, 'before');
    await line.message('before');
    discord.gateway.sendRaw('{"op":7,"d":null,"s":null,"t":null}');
    discord.say(ADA, 'between');
    await line.message('between');
    discord.say(ADA, 'after');
    await line.message('after');
    expect([texts(), asked(2), asked(6)]).toEqual([['before', 'between', 'after'], 1, 1]);
    // It happens several times a day; nobody is told that it is offline.
    expect(line.states.map(({ kind }) => kind)).toEqual(['connected']);
  });

  it('that is dead is noticed by its silence', async () => {
    await start({ heartbeatMs: 120 });
    discord.gateway.sessions.freeze('on');
    discord.say(ADA, 'into the void');
    await expect.poll(() => discord.gateway.sockets).toBe(0);
    discord.gateway.sessions.freeze('off');
    await line.message('into the void');
    expect(asked(6)).toBeGreaterThanOrEqual(1);
  });

  it('that is closed again and again is opened less and less often, and loses nothing', async () => {
    await start();
    const said: string[] = [];
    for (let round = 0; round < 4; round++) {
      const before = discord.gateway.heard.length;
      said.push(`round ${round}`);
      discord.say(ADA, `round ${round}`);
      discord.gateway.close([4000, 4900, 4002, 4001][round] ?? 4000);
      await expect.poll(() => discord.gateway.heard.length).toBeGreaterThan(before);
    }
    await line.message('round 3');
    expect(texts()).toEqual(said);
    expect(asked(2)).toBe(1);
    // Told once it is more than a hiccup.
    expect(line.states.some(({ kind }) => kind === 'offline')).toBe(true);
    await expect.poll(() => line.states.at(-1)?.kind).toBe('connected');
  });

  it('that the network takes away comes back to the same session', async () => {
    await start();
    discord.cut();
    discord.say(ADA, 'meanwhile');
    await line.state('offline');
    discord.restore();
    await line.message('meanwhile');
    expect(asked(2)).toBe(1);
  });

  it.each([
    [4014, 'CONFIG_INVALID', /Message Content Intent/],
    [4004, 'AUTH_PLATFORM_TOKEN', /Reset Token/],
    [4011, 'CONFIG_INVALID', /too many servers/],
  ])('closed with %i is not opened again', async (code, expected, reason) => {
    await start();
    discord.gateway.close(code);
    expect(await line.state('failed')).toMatchObject({
      code: expected,
      reason: expect.stringMatching(reason),
    });
    expect(asked(2) + asked(6)).toBe(1);
  });

  it('that is refused for the intent says so, also when the application says otherwise', async () => {
    discord = await startDiscord({ contentIntent: 'off', flags: 1 << 19 });
    const error: HermesError = await connectDiscord(discord, { home }).then(
      () => Promise.reject(new Error('connected')),
      (failed: HermesError) => failed,
    );
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('Message Content Intent'),
    });
  });
});

describe('events', () => {
  it('that come twice under one number are given once, and out of order are given all', async () => {
    await start();
    discord.say(ADA, 'once');
    await line.message('once');
    discord.gateway.sessions.repeat();
    const first = discord.world.said(ADA, 'first');
    const second = discord.world.said(BOB, 'second');
    discord.gateway.sessions.swapNext(['MESSAGE_CREATE', first], ['MESSAGE_CREATE', second]);
    await Promise.all([line.message('first'), line.message('second')]);
    expect(texts().toSorted()).toEqual(['first', 'once', 'second']);
    await line.connection.pause();
    expect(discord.gateway.sessions.unconfirmed).toBe(0);
  });

  it('of a chat that is stored slowly hold up no other', async () => {
    const slow = Promise.withResolvers<void>();
    await start({}, { receive: event => (event.sender.id === ADA.id ? slow.promise : Promise.resolve()) });
    discord.say(ADA, 'slow');
    discord.say(BOB, 'quick');
    await line.message('quick');
    slow.resolve();
    await line.message('slow');
  });

  it('that nobody can store stay with Discord when there are too many', async () => {
    const works = Promise.withResolvers<void>();
    await start({}, { receive: () => works.promise });
    for (let at = 0; at < 5200; at++) discord.say(at % 2 ? ADA : BOB, String(at));
    await expect.poll(() => line.log.join('').includes('too many events')).toBe(true);
    works.resolve();
    await line.message('5199');
    expect(new Set(texts()).size).toBe(5200);
    expect(texts()).toHaveLength(5200);
  });

  it('of any shape are survived, as whole frames too', async () => {
    await start();
    const { gateway } = discord;
    const odd = ['null', '{}', '[]', '7', '"x"', '{', '{"op":10}', '{"op":10,"d":{"heartbeat_interval":0}}'];
    const lies = [
      '{"op":9}',
      '{"op":0,"t":"READY","s":1,"d":null}',
      '{"op":0,"t":"READY","s":2,"d":{"session_id":7}}',
    ];
    for (const frame of [...odd, ...lies, '['.repeat(50_000), `{"op":0,"s":1,"t":"MESSAGE_CREATE","d":`])
      gateway.sendRaw(frame);
    const frames = fc.record(
      {
        op: fc.oneof(fc.constantFrom(0, 1, 10, 11, 2, 6, -1), fc.anything()),
        t: fc.oneof(
          fc.constantFrom('READY', 'MESSAGE_CREATE', 'INTERACTION_CREATE', 'GUILD_CREATE'),
          fc.anything(),
        ),
        s: fc.oneof(fc.constant(0), fc.anything()),
        d: fc.anything(),
      },
      { requiredKeys: [] },
    );
    for (const frame of fc.sample(frames, 400)) gateway.sendRaw(jsonOf(frame));
    discord.say(ADA, 'still there');
    await line.message('still there');
    expect(asked(2)).toBe(1);
  });
});

describe('a session', () => {
  it('outlives a restart: what was said meanwhile is given', async () => {
    await start();
    discord.say(ADA, 'before');
    await line.message('before');
    await line.connection.close();
    discord.say(ADA, 'meanwhile');
    await restart();
    await line.message('meanwhile');
    expect([texts(), asked(2), asked(6)]).toEqual([['meanwhile'], 1, 1]);
  });

  it('that is forgotten is replaced, and what was missed is found in the channels', async () => {
    await start();
    discord.say(ADA, 'before');
    discord.say(ADA, `<@${discord.bot.id}> before`, { place: HALL });
    await expect.poll(texts).toHaveLength(2);
    await line.connection.close();
    discord.gateway.forget();
    for (let at = 0; at < 150; at++) discord.sayUnheard(ADA, `missed ${at}`);
    discord.sayUnheard({ id: '9', isBot: true }, 'beep', { place: HALL });
    discord.sayUnheard(BOB, `<@${discord.bot.id}> missed in the hall`, { place: HALL });
    await restart();
    await Promise.all([line.message('missed 149'), line.message('missed in the hall')]);
    const inPrivate = texts().filter(text => /^missed \d/.test(text));
    expect(inPrivate).toEqual(Array.from({ length: 150 }, (_, at) => `missed ${at}`));
    expect(line.events).toHaveLength(151);
    expect(await line.message('missed in the hall')).toMatchObject({
      isAddressed: true,
      chat: { id: HALL.id, kind: 'group' },
    });
  });

  it('that Discord ends while it is used is replaced in the same way', async () => {
    await start();
    discord.say(ADA, 'before');
    await line.message('before');
    discord.gateway.forget();
    discord.sayUnheard(ADA, 'missed');
    discord.gateway.sendRaw('{"op":9,"d":false}');
    await line.message('missed');
    discord.say(ADA, 'after');
    await line.message('after');
    expect(texts()).toEqual(['before', 'missed', 'after']);
  });

  it.each([4007, 4009] as const)('that Discord closes as over (%i) is not asked for again', async code => {
    await start();
    discord.say(ADA, 'before');
    await line.message('before');
    discord.sayUnheard(ADA, 'missed');
    discord.gateway.expire(code);
    await line.message('missed');
    discord.say(ADA, 'after');
    await line.message('after');
    expect([texts(), asked(2), asked(6)]).toEqual([['before', 'missed', 'after'], 2, 0]);
  });

  it('that Discord calls invalid for now is resumed', async () => {
    await start();
    discord.say(ADA, 'before');
    await line.message('before');
    discord.gateway.sendRaw('{"op":9,"d":true}');
    await expect.poll(() => asked(6)).toBe(1);
    discord.say(ADA, 'between');
    await line.message('between');
    expect([texts(), asked(2), asked(6)]).toEqual([['before', 'between'], 1, 1]);
  });

  it('is not begun when none is left for the day', async () => {
    const { clock, waits } = recordingClock();
    await start({}, { clock });
    discord.say(ADA, 'before');
    await line.message('before');
    discord.api.sessionsLeft = 0;
    discord.gateway.forget();
    discord.gateway.expire();
    await expect.poll(() => asked(2)).toBe(2);
    expect(waits).toContain(4000);
  });

  it.each(['{', '{"account":"1"}', '[]'])('that was kept as %j is as if there were none', async kept => {
    await start();
    await line.connection.close();
    const path = join(home, 'discord', 'session.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ account: discord.bot.id });
    await writeFile(path, kept);
    await restart();
    expect([asked(2), asked(6)]).toEqual([2, 0]);
  });

  it('P7: is resumed at no other server, whatever was kept: the token would go along', async () => {
    await start();
    await line.connection.close();
    const other = await startDiscord();
    const path = join(home, 'discord', 'session.json');
    const kept = JSON.parse(await readFile(path, 'utf8'));
    kept.session.resumeUrl = new URL('/gateway', other.apiRoot.replace('http', 'ws')).href;
    await writeFile(path, JSON.stringify(kept));
    await restart();
    expect([asked(6), other.gateway.heard]).toEqual([1, []]);
    await other.close();
  });

  it('P7: what is kept of it has no token', async () => {
    await start();
    discord.say(ADA, 'hello');
    await line.message('hello');
    await line.connection.close();
    expect(await readFile(join(home, 'discord', 'session.json'), 'utf8')).not.toContain(discord.token);
  });
});

/** Whatever JSON can carry of it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null'; // numbers without end and rings are no JSON
  }
}
