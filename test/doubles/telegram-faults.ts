// What the double of the Bot API can be told to do wrong, and how each looks on the wire.

export type Fault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** No answer, until the caller gives up. */
  | 'hang'
  | 'server-error'
  /** A page of HTML, as proxies send it. */
  | 'bad-gateway'
  | 'conflict'
  | 'bad-token'
  | 'bad-formatting'
  | 'blocked'
  | { readonly retryAfterSeconds: number }
  | { readonly redirectTo: string }
  | Refusal;

export interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export const CONFLICT: Refusal = {
  status: 409,
  description:
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
};
export const UNAUTHORIZED: Refusal = { status: 401, description: 'Unauthorized' };

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'server-error': { status: 500, description: 'Internal Server Error' },
  conflict: CONFLICT,
  'bad-token': UNAUTHORIZED,
  'bad-formatting': {
    status: 400,
    description: "Bad Request: can't parse entities: Unsupported start tag at byte offset 0",
  },
  blocked: { status: 403, description: 'Forbidden: bot was blocked by the user' },
};

/** The answer that a fault is; undefined for those that are none. */
export function refusalOf(fault: Fault): Refusal | undefined {
  if (typeof fault === 'string') return REFUSALS[fault];
  if ('redirectTo' in fault) return undefined;
  if (!('retryAfterSeconds' in fault)) return fault;
  return {
    status: 429,
    description: `Too Many Requests: retry after ${fault.retryAfterSeconds}`,
    parameters: { retry_after: fault.retryAfterSeconds },
  };
}

export interface FaultList {
  add(methods: readonly string[], fault: Fault, times: number): void;
  /** The fault that this call has; it is used up by it. */
  take(method: string): Fault | undefined;
  clear(): void;
}

export function faultList(): FaultList {
  let faults: { methods: readonly string[]; fault: Fault; left: number }[] = [];
  return {
    add: (methods, fault, times) => void faults.push({ methods, fault, left: times }),
    take(method) {
      const found = faults.find(({ methods }) => methods.includes(method) || methods.includes('*'));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) faults = faults.filter(each => each !== found);
      return found.fault;
    },
    clear: () => {
      faults = [];
    },
  };
}
