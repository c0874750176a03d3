// A request that ends: within its time, when its caller gives up, or when the connection is closed. It fails with our own errors
// only.
import type { Clock } from '../base/clock.ts';
import type { HermesError } from '../base/errors.ts';

export interface TimedOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The caller's; its reason is thrown as it is. */
  readonly signal: AbortSignal | undefined;
  /** Of the connection. */
  readonly closing: AbortSignal;
  /** It was ended by us. */
  readonly interrupted: (reason: string) => HermesError;
  /** Anything else that was thrown. */
  readonly fault: (error: unknown) => HermesError;
}

/** `work` must heed the signal. */
export async function timed<T>(options: TimedOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { clock, timeoutMs, signal, closing, interrupted, fault } = options;
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = clock.after(timeoutMs, () => timeout.abort());
  try {
    return await work(AbortSignal.any([timeout.signal, closing, ...(signal ? [signal] : [])]));
  } catch (error) {
    signal?.throwIfAborted();
    if (closing.aborted) throw interrupted('the connection was closed');
    if (timeout.signal.aborted) throw interrupted(`no answer within ${timeoutMs / 1000} s`);
    throw fault(error);
  } finally {
    timer.cancel();
  }
}
