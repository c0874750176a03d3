// The column of the discord platform: the real REST and gateway clients of discord.js against our double of Discord.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/discord/index.ts';
import { section } from '../../../src/platforms/discord/settings.ts';
import { type DiscordDouble, startDiscord } from '../../doubles/discord-server.ts';
import type { Column, Ground, Peer, Place, Seen } from '../column.ts';

const MIB = 1024 * 1024;
const PERSON = { id: '420000000000004201', name: 'Ada' };
const OTHER = { id: '420000000000004202', name: 'Bob' };
const PLACES = {
  private: { id: '120000000000004201', type: 1 },
  other: { id: '120000000000004202', type: 1 },
  group: { id: '900000000000000001', type: 0 },
  thread: { id: '900000000000000017', type: 11, parent: '900000000000000001' },
} as const;
const SENDING = ['POST /channels/*/messages', 'PATCH /channels/*/messages/*'];

export const column: Column = {
  name: 'discord',
  capabilities: {
    maxText: 2000,
    edits: true,
    editEveryMs: 1500,
    buttons: true,
    maxButtonData: 100,
    typing: true,
    groups: true,
    threads: true,
    maxFileIn: 25 * MIB,
    maxFileOut: 10 * MIB,
    isPublic: true,
  },
  powers: [
    'otherSays',
    'sayAs',
    'bustle',
    'editLast',
    'repeatLast',
    'press',
    'whenNotice',
    'whenTyping',
    'whenMenu',
    'fetched',
    'unacknowledged',
    'limitOnce',
    'failOnce',
    'blockOnce',
    'cut',
    'restore',
    'revoke',
    'push',
  ],
  async open(options): Promise<Ground> {
    const [discord, home] = await Promise.all([
      // The library's own clock is the system's: limits are enforced where the platform's is, too.
      startDiscord({ ...options, limits: options?.clock ? 'announced' : 'enforced' }),
      mkdtemp(join(tmpdir(), 'hermes-discord-')),
    ]);
    for (const place of Object.values(PLACES)) discord.world.add(place);
    const environment = { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot };
    const config = await loadConfig({
      sections: [section],
      environment: { HERMES_HOME: '/nonexistent', ...environment },
      flags: {},
    });
    return {
      environment,
      create(context) {
        const platform = createPlatform(config, { home, ...context });
        if (!platform) throw new Error('it is set up, and there is none');
        return platform;
      },
      secrets: [discord.token, discord.token.split('.')[2] ?? ''],
      peer: peerOf(discord),
      async close() {
        await discord.close();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};

function peerOf(discord: DiscordDouble): Peer {
  const seen = (place: Place = 'private'): readonly Seen[] =>
    discord.sent
      .filter(({ channel }) => channel === PLACES[place].id)
      .map(({ id, text, buttons, file }) => ({
        id,
        text,
        buttons: buttons.flat(),
        ...(file ? { file } : {}),
      }));
  const failNext = (fault: Parameters<DiscordDouble['fault']>[1]): void => discord.fault(SENDING, fault);
  let last: Readonly<Record<string, unknown>> = {};
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const isGroup = PLACES[place].type !== 1;
      const words = isGroup && isForBot !== 'no' ? `<@${discord.bot.id}> ${text}` : text;
      last = discord.say(PERSON, words, { place: PLACES[place], ...(file ? { file } : {}) });
    },
    seen,
    whenSeen: async (holds, place) => {
      await discord.whenSent(() => seen(place).some(holds));
      // It was there a moment ago, and nothing is ever taken away.
      return seen(place).find(holds) as Seen;
    },
    otherSays: async text => void discord.say(OTHER, text),
    async sayAs(who, text) {
      const from =
        who === 'bot' ? { id: '990000000000000009', isBot: true } : { ...discord.bot, isBot: true };
      discord.say(from, text, { place: PLACES.private });
    },
    bustle: async () => discord.bustle(PLACES.group),
    async editLast(text) {
      const edited = { ...last, content: text, edited_timestamp: new Date().toISOString() };
      discord.gateway.dispatch('MESSAGE_UPDATE', edited);
    },
    repeatLast: async () => discord.gateway.dispatch('MESSAGE_CREATE', last),
    press: async (message, data) => void discord.press(PERSON, message.id, data),
    whenNotice: async text => {
      await discord.whenCalled(
        'POST /webhooks/*/*',
        ({ body }) => body['content'] === text && body['flags'] === 64,
      );
    },
    whenTyping: async place => {
      await discord.whenCalled(`POST /channels/${PLACES[place].id}/typing`);
    },
    whenMenu: async command => {
      await discord.whenCalled('PUT /applications/*/commands', ({ body }) =>
        JSON.stringify(body).includes(`"name":"${command}"`),
      );
    },
    fetched: () => discord.calls.filter(({ path }) => /^\/attachments|\/messages\/\d+$/.test(path)).length,
    unacknowledged: () => discord.gateway.sessions.unconfirmed,
    limitOnce: seconds => failNext({ retryAfterSeconds: seconds }),
    failOnce: () => failNext('server-error'),
    blockOnce: () => failNext('blocked'),
    cut: () => discord.cut(),
    restore: () => discord.restore(),
    revoke: () => discord.revoke(),
    push(payload) {
      // As what somebody said, as a press, and as a frame of its own.
      discord.gateway.dispatch('MESSAGE_CREATE', payload);
      discord.gateway.dispatch('INTERACTION_CREATE', payload);
      discord.gateway.dispatch('GUILD_CREATE', payload);
      discord.gateway.sendRaw(JSON.stringify(payload) ?? '');
    },
  };
}
