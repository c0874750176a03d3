// What the double of the Graph API can be told to do wrong, and how each looks on the wire.

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
  | 'bad-token'
  | 'blocked'
  | 'window-closed'
  | { readonly retryAfterSeconds: number }
  | { readonly redirectTo: string }
  | Refusal;

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly details: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const UNAUTHORIZED: Refusal = {
  status: 401,
  code: 190,
  details: 'Error validating access token: Session has expired',
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'server-error': { status: 500, code: 131000, details: 'Something went wrong' },
  'bad-token': UNAUTHORIZED,
  blocked: { status: 400, code: 131026, details: 'Message undeliverable' },
  'window-closed': {
    status: 400,
    code: 131047,
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
};

/** The answer that a fault is; undefined for those that are none. */
export function refusalOf(fault: Fault): Refusal | undefined {
  if (typeof fault === 'string') return REFUSALS[fault];
  if ('redirectTo' in fault) return undefined;
  if (!('retryAfterSeconds' in fault)) return fault;
  return {
    status: 429,
    code: 130429,
    details: 'Cloud API message throughput has been reached',
    headers: { 'retry-after': String(fault.retryAfterSeconds) },
  };
}

export interface FaultList {
  add(calls: readonly string[], fault: Fault, times: number): void;
  /** The fault that this call has; it is used up by it. */
  take(call: string): Fault | undefined;
  clear(): void;
}

export function faultList(): FaultList {
  let faults: { calls: readonly string[]; fault: Fault; left: number }[] = [];
  return {
    add: (calls, fault, times) => void faults.push({ calls, fault, left: times }),
    take(call) {
      const found = faults.find(({ calls }) => calls.includes(call) || calls.includes('*'));
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
