// What goes wrong in the Daytona double, per call: as a test has scripted it, or at random from the seed of the run.
import type { Draws } from '../seed.ts';
import type { Throttler } from './daytona-throttle.ts';

export type DaytonaFault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** It is done, and the answer waits for this. */
  | { readonly heldBy: Promise<void> }
  | {
      readonly status: number;
      readonly message: string;
      /** A rate limit: which one, and for how many seconds. */
      readonly limited?: { readonly by: Throttler; readonly seconds: number };
    };

/** As the service words them. */
export const DAYTONA_REFUSALS = {
  badKey: { status: 401, message: 'Invalid credentials' },
  quota: { status: 403, message: 'Total CPU limit exceeded. Maximum allowed: 10.' },
  regionFull: { status: 400, message: 'No available runners' },
  broken: { status: 502, message: 'Bad Gateway' },
} as const;

/** The body of a 429: @nestjs/throttler's own words. */
export const TOO_MANY = { status: 429, message: 'ThrottlerException: Too Many Requests' } as const;

const AT_RANDOM: readonly DaytonaFault[] = [
  'drop',
  'drop-after',
  DAYTONA_REFUSALS.broken,
  { ...TOO_MANY, limited: { by: 'authenticated', seconds: 1 } },
];

interface Planned {
  /** `METHOD /path`, as the call has it. */
  readonly call: RegExp;
  readonly fault: DaytonaFault;
  times: number;
}

export class DaytonaFaults {
  readonly #planned: Planned[] = [];
  #random: { readonly draws: Draws; readonly oneIn: number } | undefined;

  add(call: RegExp, fault: DaytonaFault, times: number): void {
    this.#planned.push({ call, fault, times });
  }

  /** From now on, one call in so many goes wrong. */
  addRandom(draws: Draws, oneIn: number): void {
    this.#random = { draws, oneIn };
  }

  heal(): void {
    this.#planned.length = 0;
    this.#random = undefined;
  }

  /** The fault that this call has; it is used up by it. */
  take(call: string): DaytonaFault | undefined {
    const found = this.#planned.find(({ call: wanted, times }) => times > 0 && wanted.test(call));
    if (!found) return this.#drawn();
    found.times--;
    return found.fault;
  }

  #drawn(): DaytonaFault | undefined {
    if (!this.#random) return undefined;
    const { draws, oneIn } = this.#random;
    return draws.below(oneIn) === 0 ? AT_RANDOM[draws.below(AT_RANDOM.length)] : undefined;
  }
}
