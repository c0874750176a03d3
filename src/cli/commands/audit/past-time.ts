// A time in the past as people write it.
import { HermesError } from '../../../base/errors.ts';

const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `2h` = two hours before now; otherwise an ISO time. Throws USAGE_BAD_ARGUMENTS. */
export function pastTime(text: string, now: number): number {
  const span = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text.trim());
  if (span) return now - Number(span[1]) * MS[span[2] as keyof typeof MS]; // the pattern allows no other unit
  // Date.parse takes much else, such as `2` for a month.
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `${JSON.stringify(text)} is no time. Accepted: a span such as 30m, 2h, 7d, or an ISO time such as 2026-01-31T08:00:00Z.`,
  );
}
