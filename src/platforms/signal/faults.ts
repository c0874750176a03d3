// What went wrong between us and the signal-cli daemon, as our own errors. Pure.
import { z } from 'zod';
import { type ErrorDetails, HermesError, systemErrorCode } from '../../base/errors.ts';
import { OLDEST_VERSION } from './version.ts';

export interface Endpoint {
  /** Without a slash at the end. */
  readonly url: string;
  /** As the operator wrote it: a number or an account id. */
  readonly account: string;
}

/** Codes of signal-cli and of JSON-RPC. */
const CODES = {
  user: -1,
  untrusted: -4,
  limited: -5,
  unknownMethod: -32_601,
  /** Of all commands that we call: the account is not there. */
  unknownAccount: -32_602,
} as const;

/** Where the daemon does not say how long. */
const LIMIT_MS = 10_000;
/** Nothing was sent when these happen: there was no connection yet. */
const BEFORE_SENDING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up right now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
};

export const rpcErrorShape = z.object({
  code: z.int(),
  message: z.string().default(''),
  data: z.unknown().optional(),
});
export type RpcError = z.infer<typeof rpcErrorShape>;

const resultShape = z.object({ type: z.string(), retryAfterSeconds: z.number().nonnegative().nullish() });
const resultsShape = z.object({ results: z.array(resultShape).min(1) });
type SendResult = z.infer<typeof resultShape>;

/** What the daemon answers instead of a result. */
export function rpcFault(error: RpcError, method: string, endpoint: Endpoint): HermesError {
  const { code, message } = error;
  const details = { method, status: code, reason: message };
  const cause = new Error(`${code}: ${message}`);
  const failed = sendFault(responseIn(error.data), { method, endpoint, cause });
  if (failed) return failed;
  const thrown = /\((\w+Exception)\)/.exec(message)?.[1];
  if (code === CODES.unknownAccount) return unknownAccount(endpoint, { details, cause });
  // The daemon has no code of its own for it, only the name of what was thrown.
  if (thrown === 'AuthorizationFailedException') return unknownAccount(endpoint, { details, cause });
  if (code === CODES.limited || thrown === 'RateLimitException') return limited(LIMIT_MS, { details, cause });
  if (code === CODES.untrusted) return untrusted(endpoint, { details, cause });
  if (code === CODES.user) {
    return new HermesError('USAGE_NOT_DELIVERED', `Signal refuses ${method}: ${message}`, { details, cause });
  }
  const advice = code === CODES.unknownMethod ? 'It is too old: update signal-cli.' : 'It is tried again.';
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `signal-cli could not do ${method} (${code}: ${message}). ${advice}`,
    { details: { ...details, mayBeDelivered: code !== CODES.unknownMethod }, cause },
  );
}

export function isUnknownMethod({ details }: HermesError): boolean {
  return details['status'] === CODES.unknownMethod;
}

interface Failed {
  readonly method: string;
  readonly endpoint: Endpoint;
  readonly cause?: Error;
}

/** Why nobody got what was sent; undefined when somebody did, or when it does not say. */
export function sendFault(response: unknown, { method, endpoint, cause }: Failed): HermesError | undefined {
  const results = resultsShape.safeParse(response).data?.results ?? [];
  const [first] = results;
  if (!first || results.some(({ type }) => type === 'SUCCESS')) return undefined;
  const origin = { details: { method, reason: first.type }, ...(cause ? { cause } : {}) };
  switch (first.type) {
    case 'RATE_LIMIT_FAILURE':
      return limited(longestWait(results), origin);
    case 'IDENTITY_FAILURE':
      return untrusted(endpoint, origin);
    case 'NETWORK_FAILURE':
      return new HermesError(
        'UNAVAILABLE_PLATFORM',
        'signal-cli could not reach Signal. It is tried again.',
        { ...origin, details: { ...origin.details, mayBeDelivered: false } },
      );
    case 'UNREGISTERED_FAILURE':
      return new HermesError(
        'USAGE_NOT_DELIVERED',
        'The person is not on Signal any more, or has blocked this account.',
        origin,
      );
    default:
      return new HermesError('USAGE_NOT_DELIVERED', `Signal refuses ${method}: ${first.type}.`, origin);
  }
}

function longestWait(results: readonly SendResult[]): number {
  const seconds = results.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0);
  return Math.max(...seconds) * 1000 || LIMIT_MS;
}

function responseIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'response' in data ? data.response : undefined;
}

interface Origin {
  readonly details: ErrorDetails;
  readonly cause?: Error;
}

export function limited(retryAfterMs: number, { details, cause }: Origin): HermesError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `Signal asks us to wait ${seconds} s before the next message. If it goes on asking: \`signal-cli submitRateLimitChallenge\`.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, {
    details: { ...details, retryAfterMs, mayBeDelivered: false },
    ...(cause ? { cause } : {}),
  });
}

function untrusted({ account }: Endpoint, origin: Origin): HermesError {
  const message = `The safety number of the person has changed, and signal-cli sends nothing until it is trusted. Compare it with them, then: signal-cli -a ${account} trust -v SAFETY_NUMBER THEIR_NUMBER`;
  return new HermesError('USAGE_NOT_DELIVERED', message, origin);
}

export function unknownAccount({ url, account }: Endpoint, origin: Origin): HermesError {
  const message = `The signal-cli daemon at ${url} has no account ${account}, or Signal does not accept it any more. Register it (signal-cli -a ${account} register), or link it to your phone (signal-cli link -n hermes), start the daemon again, and check \`signal.account\`.`;
  return new HermesError('AUTH_PLATFORM_TOKEN', message, origin);
}

/** `version` = as the daemon says; undefined when it is too old to say. */
export function outdated({ url }: Endpoint, version: string | undefined): HermesError {
  const found = version === undefined ? 'a very old signal-cli' : `signal-cli ${version}`;
  const message = `The daemon at ${url} is ${found}; Hermes needs ${OLDEST_VERSION} or newer, because reactions and mentions do not arrive before. Update it (it needs Java 25 or newer, or is one file without: signal-cli-native), and start the daemon again.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, { details: { method: 'version', version } });
}

/** An answer over HTTP that is none of the daemon's own. */
export function httpFault(
  status: number,
  method: string,
  { url }: Endpoint,
  retryAfter?: number,
): HermesError {
  const details = { method, status };
  if (status === 429 || status === 413) return limited(retryAfter ?? LIMIT_MS, { details });
  const message =
    status === 421
      ? `The signal-cli daemon refuses requests for ${URL.parse(url)?.host ?? url} (421). It accepts the host of its option --http, localhost, 127.0.0.1 and ::1, with its own port. Set \`signal.http_url\` to such an address; let a proxy before it send "Host: localhost"; or start it with --http 0.0.0.0:PORT, where it accepts every name, in a network that only Hermes reaches.`
      : status >= 500
        ? `The signal-cli daemon at ${url} could not do ${method} (${status}). It is tried again.`
        : `What answers at ${url} is no signal-cli daemon (${status} for ${method}). Check \`signal.http_url\`.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, {
    details: { ...details, mayBeDelivered: status >= 500 },
  });
}

/** Anything that was thrown on the way. */
export function unreachable(thrown: unknown, method: string, endpoint: Endpoint): HermesError {
  if (thrown instanceof HermesError) return thrown;
  // Node's own fetch says what happened only in the cause.
  const error = thrown instanceof TypeError && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = systemErrorCode(error) ?? '';
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  const { url, account } = endpoint;
  const where = URL.parse(url)?.host ?? url;
  const message = `The signal-cli daemon is not reachable at ${url}: ${reason}. Start it: signal-cli -a ${account} daemon --http ${where} --receive-mode=on-connection. It is tried again.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, {
    details: { method, reason, mayBeDelivered: !BEFORE_SENDING.includes(code) },
    cause: error,
  });
}

export function unreadable(method: string, { url }: Endpoint): HermesError {
  const message = `What ${url} answers to ${method} is nothing that signal-cli says. Check \`signal.http_url\`.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, { details: { method, mayBeDelivered: true } });
}
