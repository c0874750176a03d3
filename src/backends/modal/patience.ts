// Waiting for the service, which sets no limits of its own: for so long, and no longer than somebody wants the answer.
import type { Clock } from '../../base/clock.ts';

export interface Patience {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

/** The service took too long; what it does of it is not known. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** Throws TookTooLong or the signal's reason; the work goes on then, and nobody hears of how it ends. */
export async function patiently<T>(work: Promise<T>, { clock, ms, signal }: Patience): Promise<T> {
  const given = Promise.withResolvers<never>();
  const onAbort = (): void => given.reject(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = clock.after(ms, () => given.reject(new TookTooLong(`no answer within ${ms / 1000} s`)), {
    keepAlive: true,
  });
  try {
    return await Promise.race([work, given.promise]);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
    void Promise.allSettled([work]);
  }
}
