// What each call of the double's REST API does.

import { type Refusal, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE } from './discord-faults.ts';
import type { DiscordGateway } from './discord-gateway.ts';
import type { DiscordInteractions } from './discord-interactions.ts';
import { type DiscordWorld, GUILD, type Json, readSending, userOf } from './discord-world.ts';
import type { FormFile } from './multipart.ts';

export interface Call {
  readonly method: string;
  /** Without version and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly file?: FormFile;
  readonly isAuthorized: boolean;
  /** Milliseconds by the double's clock. */
  readonly at: number;
}

export type Outcome = { readonly result: unknown } | { readonly refusal: Refusal };

const LARGEST_OUT = 10 * 1024 * 1024;
const bad = (message: string, code = 50_035, status = 400): Outcome => ({
  refusal: { status, code, message },
});
const done: Outcome = { result: undefined };

export interface ApiOptions {
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly interactions: DiscordInteractions;
  /** Of the application; bit 18 = it may read what messages say. */
  readonly flags: number;
  readonly changed: () => void;
}

export class DiscordApi {
  readonly #options: ApiOptions;
  /** Ends of sessions that may still be begun. */
  sessionsLeft = 1000;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  call(call: Call): Outcome {
    const route = `${call.method} ${call.path}`;
    for (const [pattern, act] of this.#routes) {
      const match = pattern.exec(route);
      if (match) return act(call, match.slice(1));
    }
    return bad('404: Not Found', 0, 404);
  }

  readonly #routes: readonly (readonly [RegExp, (call: Call, ids: readonly string[]) => Outcome])[] = [
    [/^GET \/users\/@me$/, () => ({ result: this.#self() })],
    [/^POST \/users\/@me\/channels$/, ({ body }) => this.#openPrivate(body)],
    [/^GET \/applications\/@me$/, () => ({ result: this.#application() })],
    [/^GET \/gateway\/bot$/, () => ({ result: this.#gateway() })],
    [/^PUT \/applications\/(\d+)\/commands$/, ({ body }) => this.#commands(body)],
    [/^POST \/channels\/(\d+)\/typing$/, () => done],
    [/^POST \/channels\/(\d+)\/messages$/, (call, [channel = '']) => this.#send(call, channel)],
    [/^PATCH \/channels\/(\d+)\/messages\/(\d+)$/, (call, ids) => this.#edit(call, ids)],
    [/^GET \/channels\/(\d+)\/messages\/(\d+)$/, (_, ids) => this.#find(ids)],
    [/^GET \/channels\/(\d+)\/messages$/, ({ query }, [channel = '']) => this.#history(query, channel)],
    [/^GET \/channels\/(\d+)$/, (_, [channel = '']) => this.#channel(channel)],
    [/^POST \/channels\/(\d+)\/messages\/(\d+)\/threads$/, ({ body }, ids) => this.#openThread(body, ids)],
    [/^POST \/interactions\/(\d+)\/([^/]+)\/callback$/, (_, [, token = '']) => this.#answer(token)],
    [/^POST \/webhooks\/(\d+)\/([^/]+)$/, (_, [, token = '']) => this.#followUp(token)],
    [
      /^DELETE \/webhooks\/(\d+)\/([^/]+)\/messages\/@original$/,
      (_, [, token = '']) => this.#followUp(token),
    ],
  ];

  #answer(token: string): Outcome {
    const refusal = this.#options.interactions.answer(token);
    return refusal ? { refusal } : done;
  }

  #followUp(token: string): Outcome {
    const refusal = this.#options.interactions.followUp(token);
    return refusal ? { refusal } : { result: { id: this.#options.world.newId() } };
  }

  #self(): Json {
    const { bot } = this.#options.world;
    return { ...userOf({ id: bot.id, name: bot.username, isBot: true }), username: bot.username };
  }

  #application(): Json {
    return {
      id: this.#options.world.applicationId,
      name: 'Hermes',
      flags: this.#options.flags,
      bot: this.#self(),
    };
  }

  #gateway(): Json {
    const url = `${this.#options.world.root().replace('http', 'ws')}/gateway`;
    const limit = { total: 1000, remaining: this.sessionsLeft, reset_after: 4000, max_concurrency: 1 };
    return { url, shards: 1, session_start_limit: limit };
  }

  #commands(body: Json): Outcome {
    const names = (body as unknown as { name: string; description: string }[]).map(({ name }) => name); // as PUT has it
    const isLong = (body as unknown as { description: string }[]).some(each => each.description.length > 100); // as above
    if (isLong || names.some(name => !/^[-_a-z0-9]{1,32}$/.test(name)))
      return bad('Invalid Form Body: commands');
    return { result: body };
  }

  #send({ body, file }: Call, channel: string): Outcome {
    const { world, changed } = this.#options;
    if (!world.places.has(channel)) return { refusal: UNKNOWN_CHANNEL };
    if (file && file.bytes.length > LARGEST_OUT) return bad('Request entity too large', 40_005, 413);
    const seen = readSending(body, file);
    if (typeof seen === 'string') return bad(seen);
    const result = world.keepSent({ ...seen, id: world.newId(), channel, versions: [seen.text] });
    // Discord tells the bot of its own messages too.
    this.#options.gateway.dispatch('MESSAGE_CREATE', result);
    changed();
    return { result };
  }

  #edit({ body }: Call, [channel, id = '']: readonly string[]): Outcome {
    const { world, changed } = this.#options;
    const old = world.sent.get(id);
    if (!old || old.channel !== channel) return { refusal: UNKNOWN_MESSAGE };
    const seen = readSending(body, old.file);
    if (typeof seen === 'string') return bad(seen);
    const result = world.keepSent({ ...old, ...seen, versions: [...old.versions, seen.text] });
    this.#options.gateway.dispatch('MESSAGE_UPDATE', result);
    changed();
    return { result };
  }

  #find([channel = '', id = '']: readonly string[]): Outcome {
    const { world } = this.#options;
    const found = world.find(channel, id);
    if (!found) return { refusal: UNKNOWN_MESSAGE };
    const attachments = (found['attachments'] as { id: string }[]).map(each => ({
      ...each,
      url: world.urlOf(each.id),
    })); // ours
    return { result: { ...found, attachments } };
  }

  #history(query: URLSearchParams, channel: string): Outcome {
    const { world } = this.#options;
    if (!world.places.has(channel)) return { refusal: UNKNOWN_CHANNEL };
    return { result: world.history(channel, query.get('after') ?? '0', Number(query.get('limit') ?? 50)) };
  }

  #channel(id: string): Outcome {
    const { world } = this.#options;
    const place = world.places.get(id);
    return place ? { result: world.channelOf(place) } : { refusal: UNKNOWN_CHANNEL };
  }

  #openPrivate({ recipient_id }: Json): Outcome {
    const { world } = this.#options;
    return { result: world.channelOf(world.privateOf({ id: String(recipient_id) })) };
  }

  #openThread(body: Json, [channel = '', message = '']: readonly string[]): Outcome {
    const { world, gateway } = this.#options;
    if (!world.find(channel, message)) return { refusal: UNKNOWN_MESSAGE };
    if (world.places.has(message)) return bad('A thread has already been created for this message', 160_004);
    const place = world.add({ id: message, type: 11, parent: channel, owner: world.bot.id });
    const thread = { ...world.channelOf(place), name: body['name'], guild_id: GUILD };
    gateway.dispatch('THREAD_CREATE', thread);
    return { result: thread };
  }
}
