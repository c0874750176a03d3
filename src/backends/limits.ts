// What limits mean before a driver applies them.
import type { Limits } from './backend.ts';

/** Without those that are 0, which stands for no limit. */
export function withoutUnlimited(limits: Limits): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== 0));
}
