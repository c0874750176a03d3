// What the double of the Graph API can be told to do wrong, and how each looks on the wire.
import type { TransportFault } from './fault-script.ts';

export type Fault =
  | TransportFault
  | 'server-error'
  | 'bad-token'
  | 'blocked'
  | 'window-closed'
  | { readonly retryAfterSeconds: number }
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
