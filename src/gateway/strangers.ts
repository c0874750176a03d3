// What is remembered of strangers: how much they send, and when they last got a reply. In memory, and never of more than
// some thousand: a flood of new ones makes the oldest forgotten, and the replies to all of them together are limited too.
import type { Clock } from '../base/clock.ts';
import { WINDOW_MS } from './pairing-limits.ts';

const MOST_REMEMBERED = 5000;
/** On one platform: so many at once, and as many again in the time given. */
const LIMITS = {
  reply: { most: 30, perMs: WINDOW_MS },
  card: { most: 6, perMs: 6 * WINDOW_MS },
} as const;

export interface Stranger {
  /** Messages since they have asked last. */
  messages: number;
  /** By the clock that never goes backwards. */
  repliedAt: number | undefined;
  /** Their last reply did not get through. */
  isUnanswered: boolean;
  /** Wrong claims of the ownership. */
  claims: number;
  /** The request whose held message is a bare command, such as the one that opens a chat. */
  holdsCommand: string | undefined;
}

interface Left {
  readonly count: number;
  readonly at: number;
}

export class Strangers {
  readonly #clock: Clock;
  /** Whoever has written last stands last. */
  readonly #known = new Map<string, Stranger>();
  readonly #left = new Map<string, Left>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#known.size;
  }

  /** The stranger, who has written just now. */
  meet(person: string): Stranger {
    const stranger = this.#known.get(person) ?? {
      ...{ messages: 0, claims: 0, isUnanswered: false },
      ...{ repliedAt: undefined, holdsCommand: undefined },
    };
    stranger.messages++;
    this.#known.delete(person);
    this.#known.set(person, stranger);
    const [first] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && first !== undefined) this.#known.delete(first);
    return stranger;
  }

  messagesOf(person: string): number {
    return this.#known.get(person)?.messages ?? 0;
  }

  forget(person: string): void {
    this.#known.delete(person);
  }

  /** Whether this one may get a reply now; if so, it is the only one for a while. */
  takeReply(platform: string, stranger: Stranger): boolean {
    const now = this.#clock.monotonic();
    if (stranger.repliedAt !== undefined && now - stranger.repliedAt < WINDOW_MS) return false;
    if (!this.#take('reply', platform)) return false;
    stranger.repliedAt = now;
    return true;
  }

  /** Whether owners may be shown another one: they are not to be flooded either. */
  takeCard(platform: string): boolean {
    return this.#take('card', platform);
  }

  /** It did not get through: as if it had not been taken. */
  giveReplyBack(platform: string, stranger: Stranger): void {
    stranger.repliedAt = undefined;
    stranger.isUnanswered = true;
    this.#giveBack('reply', platform);
  }

  giveCardBack(platform: string): void {
    this.#giveBack('card', platform);
  }

  #giveBack(what: keyof typeof LIMITS, platform: string): void {
    const key = `${what} ${platform}`;
    const left = this.#left.get(key);
    if (left) this.#left.set(key, { ...left, count: left.count + 1 });
  }

  #take(what: keyof typeof LIMITS, platform: string): boolean {
    const now = this.#clock.monotonic();
    const { most, perMs } = LIMITS[what];
    const key = `${what} ${platform}`;
    const before = this.#left.get(key) ?? { count: most, at: now };
    const count = Math.min(most, before.count + ((now - before.at) * most) / perMs);
    const isLeft = count >= 1;
    this.#left.set(key, { count: isLeft ? count - 1 : count, at: now });
    return isLeft;
  }
}
