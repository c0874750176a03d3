// How long to wait before a request is sent again, and when to give up. Pure.
import type { Fault } from './fault.ts';

/** All waits for one answer together. Whoever is to wait for longer is told so instead. */
const LONGEST_WAIT_MS = 120_000;
const MOST_ATTEMPTS = { busy: 6, hiccup: 3, never: 1 } as const;

export interface Attempts {
  /** How often it was tried. */
  readonly made: number;
  readonly waitedMs: number;
  readonly now: number;
  /** 0 ≤ x < 1; spreads those who failed together. */
  readonly random: number;
}

/** Undefined = it is not worth waiting. */
export function delayBefore(
  retry: Fault['retry'],
  headers: Readonly<Record<string, string>>,
  { made, waitedMs, now, random }: Attempts,
): number | undefined {
  if (made >= MOST_ATTEMPTS[retry]) return undefined;
  const first = retry === 'busy' ? 2000 : 500;
  const backOff = first * 2 ** (made - 1) * (0.5 + random / 2);
  const delayMs = askedDelay(headers, now) ?? backOff;
  return waitedMs + delayMs > LONGEST_WAIT_MS ? undefined : delayMs;
}

/** What the server asks for: milliseconds, seconds, or a date. */
function askedDelay(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (exact >= 0) return exact;
  const after = headers['retry-after'] ?? '';
  if (/^\d+(\.\d+)?$/.test(after.trim())) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
