// What the double of signal-cli can be told to do wrong, and how each looks on the wire.
import type { TransportFault } from './fault-script.ts';

export type SignalFault =
  | TransportFault
  | 'server-error'
  /** The daemon does not have this command. */
  | 'unknown-method'
  | 'io-error'
  | 'bad-style'
  | 'blocked'
  | 'untrusted'
  | 'network-failure'
  /** Signal has shut the account out. */
  | 'unauthorized'
  /** Answers something that is no JSON-RPC. */
  | 'nonsense'
  | { readonly retryAfterSeconds: number }
  | { readonly status: number; readonly retryAfter?: number };

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
  'unknown-method': { code: -32601, message: 'Method not implemented', data: null },
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
