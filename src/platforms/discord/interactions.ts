// Presses of buttons and commands with a slash. Discord wants an answer within three seconds, so each gets one at once that
// says nothing and that only its sender sees (P1); what follows uses the interaction's own token, for a quarter of an hour.
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Client } from './client.ts';
import type { Interaction } from './payload.ts';

const COMMAND = 2;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const ONLY_FOR_SENDER = 1 << 6;
const LIFE_MS = 15 * 60_000;
const MOST = 1000;
const MAX_NOTICE = 2000;

interface Open {
  readonly applicationId: string;
  readonly token: string;
  readonly expiresAt: number;
  /** The first answer, without which no other is taken. */
  readonly deferred: Promise<void>;
}

export class Interactions {
  readonly #client: Client;
  readonly #log: Log;
  readonly #open = new Map<string, Open>();

  constructor(client: Client, log: Log) {
    this.#client = client;
    this.#log = log;
  }

  began({ id, token, type, application_id }: Interaction): void {
    if (this.#open.has(id) || (type !== COMMAND && type !== 3)) return;
    const { clock } = this.#client;
    const body =
      type === COMMAND
        ? { type: DEFERRED_MESSAGE, data: { flags: ONLY_FOR_SENDER } }
        : { type: DEFERRED_UPDATE };
    const path = `/interactions/${id}/${encodeURIComponent(token)}/callback` as const;
    const deferred = this.#quietly({ method: 'POST', path, what: 'take a command', body });
    this.#open.set(id, { applicationId: application_id, token, expiresAt: clock.now() + LIFE_MS, deferred });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST && oldest !== undefined) this.#open.delete(oldest);
  }

  /** A command is answered like a message: the sign that something is coming goes. */
  stored({ id, type }: Interaction): void {
    const open = this.#open.get(id);
    if (type !== COMMAND || !open) return;
    this.#open.delete(id);
    const path = `${addressOf(open)}/messages/@original` as const;
    void open.deferred.then(() => this.#quietly({ method: 'DELETE', path, what: 'finish a command' }));
  }

  /** Throws USAGE_NOT_DELIVERED when it is too late. */
  async answer(id: string, text: string): Promise<void> {
    const open = this.#open.get(id);
    if (!open || open.expiresAt < this.#client.clock.now()) {
      throw new HermesError('USAGE_NOT_DELIVERED', 'The press is too long ago to be answered.');
    }
    await open.deferred;
    this.#open.delete(id);
    const content = text.slice(0, MAX_NOTICE).toWellFormed();
    const body = { content, flags: ONLY_FOR_SENDER, allowed_mentions: { parse: [] } };
    await this.#client.call({
      method: 'POST',
      path: addressOf(open),
      what: 'answer a press',
      body,
      auth: 'none',
    });
  }

  /** What nobody misses when it fails; a press that came twice is answered already. */
  async #quietly(call: Omit<Parameters<Client['call']>[0], 'auth'>): Promise<void> {
    try {
      await this.#client.call({ ...call, auth: 'none' });
    } catch (error) {
      if (!isHermesError(error)) throw error;
      this.#log.debug({ err: error }, 'an interaction was not answered');
    }
  }
}

function addressOf({ applicationId, token }: Open): `/webhooks/${string}` {
  return `/webhooks/${applicationId}/${encodeURIComponent(token)}`;
}
