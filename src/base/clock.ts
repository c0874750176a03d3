// The only source of time. Code that waits or measures is given a Clock, so tests can move time themselves.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /**
   * Milliseconds since the epoch, for people and for the store. Never goes back within a process: when the system's clock is set
   * back, time goes on from where it was. It follows one that is set ahead.
   */
  now(): number;
  /** Milliseconds that never go backwards, for measuring. */
  monotonic(): number;
  /** Calls `fire` once after `ms`. A timer alone does not keep the process alive unless `keepAlive` is set. */
  after(ms: number, fire: () => void, options?: { keepAlive?: boolean }): Timer;
}

/** A wall clock that goes on by `monotonic` while `wall` is behind what it has said. */
export function neverBack({ wall, monotonic }: { wall(): number; monotonic(): number }): () => number {
  let ahead = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = monotonic();
    ahead = Math.max(ahead, wall() - elapsed);
    return Math.floor(ahead + elapsed);
  };
}

// Node stores the delay in a signed 32-bit number and fires at once when it does not fit.
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: neverBack({ wall: Date.now, monotonic: () => performance.now() }),
  monotonic: () => performance.now(),
  after(ms, fire, options = {}) {
    let remaining = Math.max(0, ms);
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const step = Math.min(remaining, LONGEST_DELAY_MS);
      remaining -= step;
      timer = setTimeout(() => (remaining > 0 ? arm() : fire()), step);
      if (!options.keepAlive) timer.unref();
    };
    arm();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves when everything else that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(
      ms,
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      { keepAlive: true },
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
