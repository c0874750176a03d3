// How Slack's own client is used: it tries nothing again, waits for no limit, logs nothing, and asks our address only. What
// it would do about failures stands above it once for every platform.
import type { Logger, WebClientOptions } from '@slack/web-api';
import type { Endpoint } from './faults.ts';

/** It would write what people say, and addresses with tickets. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  // The type is an enum of theirs; this is its value.
  getLevel: () => 'error' as ReturnType<Logger['getLevel']>,
  setName: () => undefined,
};

/** Anew for each client: it writes its token into them. `signal` ends the request that is being made. */
export function sdkOptions(
  { apiRoot }: Endpoint,
  signal: () => AbortSignal | undefined,
): () => WebClientOptions {
  return () => ({
    slackApiUrl: apiRoot,
    logger: silentLogger,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    // A queue would make a request in the name of another one.
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
    fetch: (url, init) => {
      const ending = signal();
      return fetch(url, { ...init, ...(ending ? { signal: ending } : {}) });
    },
  });
}
