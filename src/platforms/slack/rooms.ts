// Where a chat is in Slack. A private chat is known by its person; the channel that it is held in is learned from what they
// write, or asked for when there is something to say.
import { z } from 'zod';
import type { Chat } from '../platform.ts';
import { Recent } from '../recent.ts';
import type { Client } from './client.ts';
import { unreadable } from './faults.ts';

const MOST_KNOWN = 5000;
const PERSON = /^[UW][A-Z0-9]+$/;
const openShape = z.object({ channel: z.object({ id: z.string().regex(/^[A-Z0-9]+$/) }) });

export class Rooms {
  readonly #client: Client;
  readonly #channels = new Recent<string>(MOST_KNOWN);

  constructor(client: Client) {
    this.#client = client;
  }

  learn(person: string, channel: string): void {
    this.#channels.set(person, channel);
  }

  async channelOf({ id, kind }: Chat): Promise<string> {
    if (kind === 'group' || !PERSON.test(id)) return id;
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const { data } = openShape.safeParse(await this.#client.call('conversations.open', { users: id }));
    if (!data) throw unreadable(this.#client.endpoint, 'conversations.open');
    this.learn(id, data.channel.id);
    return data.channel.id;
  }
}
