// Waits that end, and then say what they waited for.
import { setTimeout as pause } from 'node:timers/promises';

/** Far longer than a busy machine takes for anything, and shorter than the limit of a test. */
export const PATIENCE_MS = 45_000;
const LOOK_MS = 10;

type What = string | (() => string);

/** What the work resolves with. It goes on when the wait has ended. */
export async function within<T>(work: Promise<T>, what: What, timeoutMs = PATIENCE_MS): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(what, timeoutMs)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks until there is something other than undefined or false. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  for (const end = performance.now() + timeoutMs; ; await pause(LOOK_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw tooLate(what, timeoutMs);
  }
}

function tooLate(what: What, timeoutMs: number): Error {
  return new Error(`not within ${timeoutMs} ms: ${typeof what === 'string' ? what : what()}`);
}
