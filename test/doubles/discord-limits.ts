// The rate limits of the double: headers on every answer, and 429 above them.
// (discord/discord-api-docs, docs/topics/rate-limits.mdx; discordjs/discord.js, packages/rest/src/lib/handlers)
import type { Clock } from '../../src/base/clock.ts';
import { TokenBuckets } from './token-bucket.ts';

export type LimitScope = 'user' | 'global' | 'shared';

export interface LimitRules {
  /** `announced`: headers alone, and something is always left. `enforced`: by the clock. */
  readonly mode: 'announced' | 'enforced';
  readonly clock: Clock;
}

type Headers = Readonly<Record<string, string>>;

/** Messages of one channel; what Discord allows is not documented, and tells itself by its headers. */
const SIZE = { most: 5, everyMs: 1200 };

export class DiscordLimits {
  readonly #rules: LimitRules;
  readonly #buckets: TokenBuckets;

  constructor(rules: LimitRules) {
    this.#rules = rules;
    this.#buckets = new TokenBuckets(rules.clock, SIZE);
  }

  /** Undefined = this route has none that is known. */
  take(method: string, path: string): { readonly headers: Headers; readonly waitMs: number } | undefined {
    const channel = /^\/channels\/(\d+)\/messages/.exec(path)?.[1];
    if (channel === undefined || !['POST', 'PATCH'].includes(method)) return undefined;
    const [name, isEnforced] = [`${method} ${channel}`, this.#rules.mode === 'enforced'];
    const waitMs = isEnforced ? this.#buckets.take(name) : 0;
    const { left, fullInMs } = this.#buckets.state(name);
    const seconds = Math.max(waitMs, left > 0 ? fullInMs : SIZE.everyMs) / 1000;
    return {
      waitMs,
      headers: {
        'x-ratelimit-limit': String(SIZE.most),
        'x-ratelimit-remaining': String(isEnforced ? left : SIZE.most - 1),
        'x-ratelimit-reset': String(this.#rules.clock.now() / 1000 + seconds),
        'x-ratelimit-reset-after': seconds.toFixed(3),
        'x-ratelimit-bucket': `double-${method.toLowerCase()}-messages`,
      },
    };
  }
}

/** The headers and the body of 429. */
export function limitAnswer(seconds: number, scope: LimitScope): { headers: Headers; body: object } {
  return {
    headers: {
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-scope': scope,
      ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
    },
    body: { message: 'You are being rate limited.', retry_after: seconds, global: scope === 'global' },
  };
}
