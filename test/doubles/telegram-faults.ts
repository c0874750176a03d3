// What the double of the Bot API can be told to do wrong, and how each looks on the wire.
import type { TransportFault } from './fault-script.ts';

export type Fault =
  | TransportFault
  | 'server-error'
  | 'conflict'
  | 'bad-token'
  | 'bad-formatting'
  | 'blocked'
  | { readonly retryAfterSeconds: number }
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
