// What the double of Slack can be told to do wrong, and how each looks on the wire.
import type { TransportFault } from './fault-script.ts';

export type SlackFault =
  | TransportFault
  | 'server-error'
  | { readonly retryAfterSeconds: number }
  /** Slack's own refusal, such as `channel_not_found`. */
  | { readonly error: string; readonly needed?: string };
