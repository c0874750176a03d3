// How long to wait before something is tried again, and the wait itself.
import { type Clock, sleep } from '../base/clock.ts';

export interface Growth {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Doubles with every failure in a row, the first included, and takes between half and all of that. */
export function backOffMs(failures: number, { firstMs, longestMs }: Growth): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 16));
  return full * (0.5 + Math.random() / 2);
}

/** Ends early, and without a failure, when the signal aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await sleep(clock, ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
