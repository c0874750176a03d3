// The names of people. Slack's messages carry only ids; who is asked about is remembered, so that a flood of messages is no
// flood of questions. What cannot be learned soon is the id itself.
import { z } from 'zod';
import { isHermesError } from '../../base/errors.ts';
import type { Client } from './client.ts';

const MOST_KNOWN = 2000;
const KNOWN_MS = 24 * 3600_000;
/** A name that could not be learned is asked for again after this. */
const UNKNOWN_MS = 60_000;
const TIMEOUT_MS = 2000;
/** So many questions at once, and as many again in a minute. */
const MOST_QUESTIONS = 30;
const QUESTIONS_MS = 60_000;

const userShape = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
  }),
});

export class Names {
  readonly #client: Client;
  readonly #known = new Map<string, { readonly name: Promise<string>; until: number }>();
  #left = MOST_QUESTIONS;
  #countedAt: number;

  constructor(client: Client) {
    this.#client = client;
    this.#countedAt = client.clock.monotonic();
  }

  /** Never throws. */
  of(userId: string): Promise<string> {
    const now = this.#client.clock.monotonic();
    const known = this.#known.get(userId);
    if (known && known.until > now) return known.name;
    if (!this.#mayAsk(now)) return known?.name ?? Promise.resolve(userId);
    const entry = { name: Promise.resolve(userId), until: now + UNKNOWN_MS };
    entry.name = this.#ask(userId).then(name => {
      if (name !== undefined) entry.until = now + KNOWN_MS;
      return name ?? userId;
    });
    this.#known.delete(userId);
    this.#known.set(userId, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return entry.name;
  }

  #mayAsk(now: number): boolean {
    const earned = ((now - this.#countedAt) * MOST_QUESTIONS) / QUESTIONS_MS;
    this.#left = Math.min(MOST_QUESTIONS, this.#left + earned);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  async #ask(userId: string): Promise<string | undefined> {
    try {
      const answer = await this.#client.call('users.info', { user: userId }, { timeoutMs: TIMEOUT_MS });
      const { data } = userShape.safeParse(answer);
      const { profile, real_name, name } = data?.user ?? {};
      return profile?.display_name || profile?.real_name || real_name || name || undefined;
    } catch (error) {
      // The name is a courtesy; the id says who it is.
      if (isHermesError(error)) return undefined;
      throw error;
    }
  }
}
