// A limit as services have it: so many at once, and then one more every so often, by the clock of the test.
import type { Clock } from '../../src/base/clock.ts';

export interface BucketSize {
  /** How many at once. */
  readonly most: number;
  /** After which one more is allowed. */
  readonly everyMs: number;
}

export class TokenBuckets {
  readonly #clock: Clock;
  readonly #size: BucketSize;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock;
    this.#size = size;
  }

  /** Takes one of this name. 0 = allowed; otherwise nothing is taken, and in so many milliseconds it will be. */
  take(name: string): number {
    const { most, everyMs } = this.#size;
    const now = this.#clock.monotonic();
    const { left, at } = this.#buckets.get(name) ?? { left: most, at: now };
    const filled = Math.min(most, left + (now - at) / everyMs);
    // What is missing by a rounding error is there.
    const isAllowed = filled >= 1 - 1e-6;
    this.#buckets.set(name, { left: isAllowed ? Math.max(0, filled - 1) : filled, at: now });
    return isAllowed ? 0 : (1 - filled) * everyMs;
  }

  /** How many are left now, and in how many milliseconds all are back. */
  state(name: string): { readonly left: number; readonly fullInMs: number } {
    const { most, everyMs } = this.#size;
    const now = this.#clock.monotonic();
    const { left, at } = this.#buckets.get(name) ?? { left: most, at: now };
    const filled = Math.min(most, left + (now - at) / everyMs);
    return { left: Math.floor(filled + 1e-6), fullInMs: (most - filled) * everyMs };
  }
}
