// When a conversation is made shorter, and where it is cut. Pure.
import type { Message } from '../providers/provider.ts';
import type { Entry } from './conversation.ts';
import { tokensOfMessage } from './tokens.ts';

/** Above this share of the context something is done; the rest is for the answer and for what a guess misses. */
const FULL_SHARE = 0.8;
/** Old results alone are shortened when that brings it below this; else it would be too little to last. */
export const CALM_SHARE = 0.6;
/** What is most recent stays whole: as many messages as fit into this share. */
const RECENT_SHARE = 0.25;
/** After a server has refused a request as too long; the configured size of the context is too large then. */
const RECENT_SHARE_WHEN_REFUSED = 0.12;

export type Pressure = 'near' | 'refused';

/** `isOver`: a request of that size is too near to the end of the context. */
export function isOver(tokens: number, contextTokens: number): boolean {
  return tokens > contextTokens * FULL_SHARE;
}

/**
 * The `seq` of the last entry that is old; undefined when there is none. A call and its answers stay together, and what
 * comes last always stays.
 */
export function lastOld(
  entries: readonly Entry[],
  { contextTokens, pressure }: { readonly contextTokens: number; readonly pressure: Pressure },
): number | undefined {
  const room = contextTokens * (pressure === 'near' ? RECENT_SHARE : RECENT_SHARE_WHEN_REFUSED);
  let taken = 0;
  let first: number | undefined;
  for (const [at, { message }] of [...entries.entries()].toReversed()) {
    taken += tokensOfMessage(message);
    if (first !== undefined && taken > room) break;
    if (canBegin(message)) first = at;
  }
  return entries[(first ?? 0) - 1]?.seq;
}

/** What is recent may begin with it: not with an answer whose call is gone. */
function canBegin({ role }: Message): boolean {
  return role !== 'tool';
}

/** What the person wrote, as far as a summary is to cover it; oldest first. */
export function writtenUpTo(entries: readonly Entry[], covers: number): readonly string[] {
  return entries.flatMap(({ seq, message }) =>
    message.role === 'user' && seq <= covers ? [message.text] : [],
  );
}
