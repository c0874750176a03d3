// What the double of Daytona can be told to do wrong, per call.

export type DaytonaFault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  | { readonly status: number; readonly message: string; readonly retryAfterSeconds?: number };

/** As the service words them. */
export const DAYTONA_REFUSALS = {
  badKey: { status: 401, message: 'Invalid credentials' },
  quota: { status: 403, message: 'Total CPU limit exceeded. Maximum allowed: 10.' },
  regionFull: { status: 400, message: 'No available runners' },
  broken: { status: 502, message: 'Bad Gateway' },
} as const;

interface Planned {
  /** `METHOD /path`, as the call has it. */
  readonly call: RegExp;
  readonly fault: DaytonaFault;
  times: number;
}

export class DaytonaFaults {
  readonly #planned: Planned[] = [];

  add(call: RegExp, fault: DaytonaFault, times: number): void {
    this.#planned.push({ call, fault, times });
  }

  heal(): void {
    this.#planned.length = 0;
  }

  /** The fault that this call has; it is used up by it. */
  take(call: string): DaytonaFault | undefined {
    const found = this.#planned.find(({ call: wanted, times }) => times > 0 && wanted.test(call));
    if (!found) return undefined;
    found.times--;
    return found.fault;
  }
}
