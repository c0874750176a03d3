// What the double of Discord's API can be told to do wrong, and how each looks on the wire.
import type { LimitScope } from './discord-limits.ts';
import type { TransportFault } from './fault-script.ts';

export type Fault =
  | TransportFault
  | 'server-error'
  | 'blocked'
  /** A limit that is only known when it is hit. */
  | { readonly retryAfterSeconds: number; readonly scope?: LimitScope }
  | Refusal;

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export const UNAUTHORIZED: Refusal = { status: 401, code: 0, message: '401: Unauthorized' };
export const UNKNOWN_MESSAGE: Refusal = { status: 404, code: 10_008, message: 'Unknown Message' };
export const UNKNOWN_CHANNEL: Refusal = { status: 404, code: 10_003, message: 'Unknown Channel' };

export function refusalOf(fault: Fault): Refusal | undefined {
  if (fault === 'server-error') return { status: 500, code: 0, message: '500: Internal Server Error' };
  if (fault === 'blocked') return { status: 403, code: 50_007, message: 'Cannot send messages to this user' };
  return typeof fault === 'object' && 'status' in fault ? fault : undefined;
}

/** Whether `POST /channels/1/messages` is `POST /channels/*\/messages`. */
export function isRoute(route: string, call: string): boolean {
  if (route === '*') return true;
  const pattern = route.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+');
  return new RegExp(`^${pattern}$`).test(call);
}
