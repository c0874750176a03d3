// The rate limits of the Daytona double. As in the service (daytonaio/daytona, apps/api/src/common/guards/
// authenticated-rate-limit.guard.ts on top of @nestjs/throttler), each has a name, and every header carries it: there is no
// plain `Retry-After`. Who exceeds a limit is blocked for a whole window (apps/api/src/config/defaults.ts: 60 s).
import type { Clock } from '../../src/base/clock.ts';

/** `authenticated` counts every call, the others the calls of their kind besides. */
export type Throttler = 'authenticated' | 'sandbox-create' | 'sandbox-lifecycle';

export type Headers = Readonly<Record<string, string>>;

const WINDOW_MS = 60_000;

interface Counter {
  limit: number;
  hits: number;
  resetAt: number;
  blockedUntil: number;
}

export class DaytonaThrottle {
  readonly #clock: Clock;
  readonly #counters = new Map<Throttler, Counter>();

  constructor(clock: Clock) {
    this.#clock = clock;
    for (const [name, limit] of Object.entries(LIMITS)) this.setLimit(name as Throttler, limit); // its own keys
  }

  /** Calls in a window. */
  setLimit(name: Throttler, limit: number): void {
    this.#counters.set(name, { limit, hits: 0, resetAt: 0, blockedUntil: 0 });
  }

  /** Counts a call. `isBlocked`: it is answered with 429. */
  count(method: string, path: string): { readonly headers: Headers; readonly isBlocked: boolean } {
    let headers: Headers = {};
    for (const name of throttlersOf(method, path)) {
      const counter = this.#counters.get(name);
      if (!counter) continue;
      const answer = this.#hit(name, counter);
      headers = { ...headers, ...answer.headers };
      if (answer.isBlocked) return { headers, isBlocked: true };
    }
    return { headers, isBlocked: false };
  }

  #hit(name: Throttler, counter: Counter): { readonly headers: Headers; readonly isBlocked: boolean } {
    const now = this.#clock.now();
    if (now >= counter.resetAt) Object.assign(counter, { hits: 0, resetAt: now + WINDOW_MS });
    if (now >= counter.blockedUntil && ++counter.hits > counter.limit) counter.blockedUntil = now + WINDOW_MS;
    if (now < counter.blockedUntil)
      return { headers: retryAfter(name, (counter.blockedUntil - now) / 1000), isBlocked: true };
    const headers = {
      [`X-RateLimit-Limit-${name}`]: String(counter.limit),
      [`X-RateLimit-Remaining-${name}`]: String(counter.limit - counter.hits),
      [`X-RateLimit-Reset-${name}`]: String(Math.ceil((counter.resetAt - now) / 1000)),
    };
    return { headers, isBlocked: false };
  }
}

export function retryAfter(name: Throttler, seconds: number): Headers {
  return { [`Retry-After-${name}`]: String(Math.ceil(seconds)) };
}

const LIMITS: Readonly<Record<Throttler, number>> = {
  authenticated: 40_000,
  'sandbox-create': 300,
  'sandbox-lifecycle': 40_000,
};

function throttlersOf(method: string, path: string): readonly Throttler[] {
  if (!path.startsWith('/api/')) return [];
  if (method === 'POST' && path === '/api/sandbox') return ['authenticated', 'sandbox-create'];
  const isLifecycle = method === 'DELETE' || /\/(?:start|stop|archive|recover)$/.test(path);
  return isLifecycle ? ['authenticated', 'sandbox-lifecycle'] : ['authenticated'];
}
