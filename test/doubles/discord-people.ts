// The people on the other side of the double: they write, press buttons and type commands with a slash.
import type { DiscordGateway } from './discord-gateway.ts';
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
  /** Somebody presses a button on a message of the bot. Returns the id of the press. */
  press(from: Person, messageId: string, data: string): string;
  /** Somebody types a command with a slash. */
  slash(from: Person, name: string, words: string, place?: Place): string;
}

const COMMAND = 2;
const PRESS = 3;

export function peopleOf(world: DiscordWorld, gateway: DiscordGateway): DiscordPeople {
  const interaction = (from: Person, type: number, place: Place, rest: Json): string => {
    const id = world.newId();
    const user = userOf(from);
    gateway.dispatch('INTERACTION_CREATE', {
      ...{ id, application_id: world.applicationId, type, token: `token-of-${id}`, version: 1 },
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
