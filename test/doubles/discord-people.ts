// The people on the other side of the double: they write, press buttons and type commands with a slash.
import type { DiscordGateway } from './discord-gateway.ts';
import type { DiscordInteractions } from './discord-interactions.ts';
import {
  type DiscordWorld,
  GUILD,
  type Json,
  type Person,
  type Place,
  type SayOptions,
  userOf,
} from './discord-world.ts';

export interface DiscordPeople {
  /** Somebody writes. Returns the message as it was dispatched. */
  say(from: Person, text: string, options?: SayOptions): Json;
  /** Said, and nobody is told: as while no session lives. */
  sayUnheard(from: Person, text: string, options?: SayOptions): Json;
  /** What a bot sees of a channel besides what is said to it: joins, other bots, edits, reactions. */
  bustle(place: Place): void;
  /** Somebody presses a button on a message of the bot. Returns the id of the press. */
  press(from: Person, messageId: string, data: string): string;
  /** Somebody types a command with a slash. */
  slash(from: Person, name: string, words: string, place?: Place): string;
}

const COMMAND = 2;
const PRESS = 3;

export interface PeopleOptions {
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly interactions: DiscordInteractions;
}

export function peopleOf({ world, gateway, interactions }: PeopleOptions): DiscordPeople {
  const interaction = (from: Person, type: number, place: Place, rest: Json): string => {
    const id = world.newId();
    const user = userOf(from);
    gateway.dispatch('INTERACTION_CREATE', {
      ...{ id, application_id: world.applicationId, type, token: interactions.begin(id), version: 1 },
      channel: world.channelOf(place),
      channel_id: place.id,
      ...(place.type === 1 ? { user, context: 1 } : { member: { user }, guild_id: GUILD, context: 0 }),
      ...rest,
    });
    return id;
  };
  return {
    say(from, text, options) {
      const message = world.said(from, text, options);
      gateway.dispatch('MESSAGE_CREATE', message);
      return message;
    },
    sayUnheard: (from, text, options) => world.said(from, text, options),
    bustle(place) {
      const base = { guild_id: GUILD, channel_id: place.id };
      const person = userOf({ id: '420000000000004277' });
      const said = world.said({ id: '990000000000000009', isBot: true }, 'beep', { place });
      const hook = { ...said, id: world.newId(), webhook_id: '660000000000000001' };
      const emoji = { id: null, name: '👍' };
      const at = { ...base, message_id: said['id'], user_id: person['id'] };
      for (const [type, data] of [
        ['MESSAGE_CREATE', said],
        ['MESSAGE_CREATE', hook],
        // 7 = somebody joined; 6 = pinned.
        ['MESSAGE_CREATE', { ...said, id: world.newId(), type: 7, author: person, content: '' }],
        ['MESSAGE_CREATE', { ...said, id: world.newId(), type: 6, author: person, content: '' }],
        ['MESSAGE_UPDATE', { ...said, author: person, content: `<@${world.bot.id}> changed` }],
        ['MESSAGE_DELETE', { ...base, id: said['id'] }],
        ['MESSAGE_REACTION_ADD', { ...at, emoji }],
        ['MESSAGE_REACTION_REMOVE', { ...at, emoji }],
        ['TYPING_START', { ...base, user_id: person['id'], timestamp: 1_700_000_000 }],
        ['GUILD_MEMBER_ADD', { guild_id: GUILD, user: person, roles: [] }],
        ['PRESENCE_UPDATE', { guild_id: GUILD, user: { id: person['id'] }, status: 'online' }],
        ['CHANNEL_PINS_UPDATE', base],
        ['CHANNEL_UPDATE', { ...world.channelOf(place), guild_id: GUILD, topic: 'x' }],
      ] as const)
        gateway.dispatch(type, data);
    },
    press(from, messageId, data) {
      const message = world.sent.get(messageId);
      const place = message && world.places.get(message.channel);
      if (!message || !place) throw new Error(`the bot has sent no message ${messageId}`);
      const rest = { message: world.messageOf(message), data: { component_type: 2, custom_id: data, id: 1 } };
      return interaction(from, PRESS, place, rest);
    },
    slash(from, name, words, place = world.privateOf(from)) {
      const given = words === '' ? [] : [{ type: 3, name: 'words', value: words }];
      return interaction(from, COMMAND, place, { data: { id: '1', type: 1, name, options: given } });
    },
  };
}
