// What to do when a platform did not take a message. Pure.
import { isHermesError } from '../base/errors.ts';

export type NextStep =
  /** `isAskedFor`: the server named the time, so it is kept even when the connection comes back earlier. */
  | {
      readonly kind: 'again';
      readonly inMs: number;
      readonly isAskedFor: boolean;
      readonly mayHaveArrived: boolean;
    }
  | { readonly kind: 'give-up'; readonly mayHaveArrived: boolean };

const FIRST_MS = 1000;
const LONGEST_MS = 300_000;
/** Nobody wants an answer that is older. */
export const LONGEST_WAIT_MS = 86_400_000;
export function isTooOld(ageMs: number): boolean {
  return ageMs >= LONGEST_WAIT_MS;
}

/** What nobody has foreseen is not tried for a day. */
const MOST_UNFORESEEN = 5;

export function afterFailure(
  error: unknown,
  { attempts, ageMs }: { readonly attempts: number; readonly ageMs: number },
): NextStep {
  const details = isHermesError(error) ? error.details : {};
  const mayHaveArrived = details['mayBeDelivered'] === true;
  const mayPass = isHermesError(error, 'UNAVAILABLE_PLATFORM') || isHermesError(error, 'AUTH_PLATFORM_TOKEN');
  const isFinal = isHermesError(error, 'USAGE_NOT_DELIVERED') || isTooOld(ageMs);
  if (isFinal || (!mayPass && attempts >= MOST_UNFORESEEN)) return { kind: 'give-up', mayHaveArrived };
  const asked = details['retryAfterMs'];
  const isAskedFor = typeof asked === 'number';
  const inMs = isAskedFor ? asked : Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return { kind: 'again', inMs, isAskedFor, mayHaveArrived };
}
