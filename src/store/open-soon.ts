// The store of a gateway that is started on a full disk or behind a lock: that may pass, so it is waited for.
import { type Clock, sleep } from '../base/clock.ts';
import { asHermesError, type HermesError } from '../base/errors.ts';
import { isLockedOrFull } from './sqlite-errors.ts';

const LONGEST_WAIT_MS = 60_000;
const LOOK_MS = 1000;

interface Waiting {
  readonly clock: Clock;
  /** Called once, when it has to be waited for. */
  readonly onWaiting: (error: HermesError, mostMs: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Throws what `open` throws when it does not pass by itself, or not within a minute. */
export async function openSoon<T>(open: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { clock, onWaiting, signal } = waiting;
  const giveUpAt = clock.monotonic() + LONGEST_WAIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await open();
    } catch (error) {
      if (!isLockedOrFull(error) || signal?.aborted || clock.monotonic() >= giveUpAt) throw error;
      if (isFirst) onWaiting(asHermesError(error), LONGEST_WAIT_MS);
      await sleep(clock, LOOK_MS, signal);
    }
  }
}
