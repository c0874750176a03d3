// What the double of signal-cli can be told to do wrong, and how each looks on the wire.

export type SignalFault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** No answer, until the caller gives up. */
  | 'hang'
  | 'server-error'
  | 'io-error'
  /** A page of HTML, as proxies send it. */
  | 'bad-gateway'
  | 'bad-style'
  | 'blocked'
  | 'untrusted'
  | 'network-failure'
  /** Signal has shut the account out. */
  | 'unauthorized'
  /** Answers something that is no JSON-RPC. */
  | 'nonsense'
  | { readonly retryAfterSeconds: number }
  | { readonly status: number; readonly retryAfter?: number }
  | { readonly redirectTo: string };

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

const results = (type: string, more: object = {}) => ({
  response: { timestamp: 1, results: [{ recipientAddress: { uuid: null, number: null }, type, ...more }] },
});

const FAILURES: Readonly<Record<string, RpcFailure>> = {
  'server-error': {
    code: -32603,
    message: 'Failed to send message: boom (IllegalStateException)',
    data: null,
  },
  'io-error': { code: -3, message: 'Failed to send message: timeout (IOException)', data: null },
  'bad-style': { code: -1, message: 'Invalid style: BOLDER', data: null },
  blocked: { code: -1, message: 'Failed to send message', data: results('UNREGISTERED_FAILURE') },
  untrusted: { code: -4, message: 'Failed to send message', data: results('IDENTITY_FAILURE') },
  'network-failure': { code: -3, message: 'Failed to send message', data: results('NETWORK_FAILURE') },
  unauthorized: {
    code: -3,
    message: 'Failed to send message: [403] Authorization failed! (AuthorizationFailedException)',
    data: null,
  },
};

/** The answer that a fault is; undefined for those that are none. */
export function failureOf(fault: SignalFault): RpcFailure | undefined {
  if (typeof fault === 'string') return FAILURES[fault];
  if (!('retryAfterSeconds' in fault)) return undefined;
  const { retryAfterSeconds } = fault;
  return {
    code: -5,
    message: 'Failed to send message: rate limited',
    data: results('RATE_LIMIT_FAILURE', { token: 'challenge', retryAfterSeconds }),
  };
}

export interface SignalFaultList {
  add(methods: readonly string[], fault: SignalFault, times: number): void;
  /** The fault that this call has; it is used up by it. */
  take(method: string): SignalFault | undefined;
  clear(): void;
}

export function signalFaultList(): SignalFaultList {
  let faults: { methods: readonly string[]; fault: SignalFault; left: number }[] = [];
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
