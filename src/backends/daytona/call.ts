// One call to the API: the client's errors translated, and made again where that does no harm.
import { type Clock, sleep } from '../../base/clock.ts';
import { ApiFault } from './faults.ts';

export interface CallOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** `once`: what is made by it may be there although the answer was lost; the caller has to look. */
  readonly repeat: 'safe' | 'once';
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;
/** A longer wait is the operator's business. */
const LONGEST_PAUSE_MS = 20_000;

/** Throws ApiFault, or the signal's reason. */
export async function call<T>(
  work: (given: { signal?: AbortSignal }) => Promise<{ data: T }>,
  { clock, signal, repeat }: CallOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await unlessAborted(work(signal ? { signal } : {}), signal)).data;
    } catch (error) {
      signal?.throwIfAborted();
      const fault = faultOf(error);
      const pauseMs = pauseAfter(fault, attempt, repeat);
      if (pauseMs === undefined) throw fault;
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** Not every call of the client takes the signal; what it answers later is nobody's concern. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    void Promise.allSettled([work]);
  }
}

/** Undefined = not again. A call that was turned away because there were too many has not been carried out. */
function pauseAfter(fault: ApiFault, attempt: number, repeat: CallOptions['repeat']): number | undefined {
  if (attempt >= ATTEMPTS) return undefined;
  const pauseMs = fault.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
  if (fault.status === 429) return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : undefined;
  return repeat === 'safe' && fault.isAmbiguous ? Math.min(pauseMs, LONGEST_PAUSE_MS) : undefined;
}

interface ClientError {
  readonly isAxiosError: true;
  readonly message: string;
  readonly code?: string;
  readonly response?: {
    readonly status: number;
    readonly data?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
  };
}

function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true;
}

/** The client's own error holds the request with its key, so it does not become the cause. */
function faultOf(error: unknown): ApiFault {
  if (!isClientError(error)) throw error;
  const { response } = error;
  if (!response) return new ApiFault(undefined, error.code ?? error.message);
  const seconds = retryAfterSeconds(response.headers ?? {});
  return new ApiFault(response.status, messageIn(response.data), {
    ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
  });
}

/**
 * The service has several rate limits, each with a name, and writes it into the header: `Retry-After-sandbox-create`. The plain
 * header can only come from a proxy in between. The longest wait counts.
 */
function retryAfterSeconds(headers: Readonly<Record<string, unknown>>): number | undefined {
  const seconds = Object.entries(headers)
    .filter(([name]) => /^retry-after(?:-|$)/i.test(name))
    .map(([, value]) => Number(value))
    .filter(Number.isFinite);
  return seconds.length > 0 ? Math.max(...seconds) : undefined;
}

function messageIn(data: unknown): string {
  if (typeof data === 'string') return data.slice(0, 300);
  if (typeof data !== 'object' || data === null) return '';
  for (const key of ['message', 'error']) {
    const value: unknown = Reflect.get(data, key);
    if (typeof value === 'string') return value.slice(0, 300);
    if (Array.isArray(value)) return value.join(', ').slice(0, 300);
  }
  return '';
}
