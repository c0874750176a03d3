// How much strangers may ask for. Pure. No limit lets some of them keep others out for long.
import type { ApprovalFailures, Pairing } from '../store/pairings.ts';

const MINUTE = 60_000;

/** How long a code can be used. */
export const CODE_LIFE_MS = 60 * MINUTE;
/** A person gets one code, and one reply, in this time. */
export const WINDOW_MS = 10 * MINUTE;
/** On one platform at a time. */
const MOST_PENDING = 3;
const MOST_FAILURES = 5;
const LOCK_MS = 60 * MINUTE;
/** Whoever has sent more than this while waiting is the first to give way. */
const PATIENT = 5;

export type Room =
  | { readonly kind: 'free' }
  /** This one gives way. */
  | { readonly kind: 'taken'; readonly from: Pairing }
  | { readonly kind: 'none'; readonly freeAt: number };

/**
 * Whether one more request fits. When all places are taken, the most demanding person gives way, and without such a one the
 * oldest request that has had its ten minutes: three strangers can keep a fourth out for ten minutes and not longer, and
 * a crowd cannot drive out somebody who has just come.
 */
export function roomFor(
  pending: readonly Pairing[],
  demandOf: (pairing: Pairing) => number,
  now: number,
): Room {
  if (pending.length < MOST_PENDING) return { kind: 'free' };
  const [demanding] = pending.toSorted((a, b) => demandOf(b) - demandOf(a) || a.createdAt - b.createdAt);
  if (demanding && demandOf(demanding) > PATIENT) return { kind: 'taken', from: demanding };
  const [oldest] = pending.toSorted((a, b) => a.createdAt - b.createdAt);
  const freeAt = (oldest?.createdAt ?? 0) + WINDOW_MS;
  return oldest && freeAt <= now ? { kind: 'taken', from: oldest } : { kind: 'none', freeAt };
}

/** Wrong codes count until there was a right one, or none for an hour; the fifth locks all approving for an hour. */
export function afterWrongCode(before: ApprovalFailures, now: number): ApprovalFailures {
  const isStale = now - before.lastAt >= LOCK_MS;
  const failures = (isStale ? 0 : before.failures) + 1;
  const isLocked = failures >= MOST_FAILURES;
  return {
    platform: before.platform,
    failures: isLocked ? 0 : failures,
    lastAt: now,
    lockedUntil: isLocked ? now + LOCK_MS : null,
  };
}

export function triesLeft({ failures }: ApprovalFailures): number {
  return MOST_FAILURES - failures;
}
