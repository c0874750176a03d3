// From whatever was thrown or streamed to a fault: connection, silence, or words of the server.
import { APICallError } from '@ai-sdk/provider';
import { HermesError, systemErrorCode } from '../base/errors.ts';
import { type Fault, judge, type Place } from './fault.ts';
import { Silence } from './patient-fetch.ts';
import { readFailure, type ServerSaid } from './server-said.ts';

export interface Failure {
  readonly fault: Fault;
  readonly headers: Readonly<Record<string, string>>;
}

export function failureOf(error: unknown, place: Place, arrived: 'nothing' | 'something'): Failure {
  const said = readFailure(error, place.redact);
  const whole = judged(error, said, place, arrived);
  return { fault: whole, headers: said.headers };
}

function judged(error: unknown, said: ServerSaid, place: Place, arrived: string): Fault {
  const silence = among(error, each => each instanceof Silence);
  if (silence instanceof Silence) {
    const { seconds } = silence;
    const remedy = 'Try `hermes model test`; model.timeout says how long is waited.';
    return gone(`${place.baseUrl} has been silent for ${seconds} s. ${remedy}`, place, {
      error,
      retry: 'never',
    });
  }
  if (arrived === 'something') {
    const why = said.text === '' || APICallError.isInstance(error) ? '' : `: ${said.text.replace(/\.$/, '')}`;
    const text = `${place.baseUrl} broke off in the middle of an answer${why}. What had come is kept; ask again.`;
    return gone(text, place, { error, retry: 'never' });
  }
  if (said.status !== undefined && said.status !== 200) return judge(said, place, withoutRequest(error));
  const code = systemErrorCode(among(error, each => systemErrorCode(each) !== undefined));
  if (code === undefined && !isUnanswered(error))
    return judge({ ...said, text: reason(error, place) }, place, withoutRequest(error));
  const known =
    code === undefined ? rootOf(error, place) : (REASONS[code] ?? `the connection failed (${code})`);
  const text = `${place.baseUrl} cannot be reached: ${known}. Does the server run, and is model.base_url right?`;
  return gone(text, place, { error, retry: 'hiccup' });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be resolved at the moment',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ETIMEDOUT: 'it does not answer',
};

function gone(
  message: string,
  place: Place,
  { error, retry }: { error: unknown; retry: Fault['retry'] },
): Fault {
  const { provider, model, baseUrl } = place;
  return {
    error: new HermesError('UNAVAILABLE_MODEL', message, {
      details: { provider, model, baseUrl },
      cause: withoutRequest(error),
    }),
    retry,
    reason: 'The model cannot be reached.',
  };
}

/** The library's error holds the whole conversation, which belongs into no log. */
function withoutRequest(error: unknown): unknown {
  if (!APICallError.isInstance(error)) return error;
  return new Error(error.message, { cause: error.cause });
}

function reason(error: unknown, { redact }: Place): string {
  return error instanceof Error ? error.message : readFailure(error, redact).text;
}

/** The library has asked, and there is no answer of a server. */
function isUnanswered(error: unknown): boolean {
  return APICallError.isInstance(error) && error.statusCode === undefined;
}

/** In the words of the one who knows best. */
function rootOf(error: unknown, place: Place): string {
  const last = among(error, each => !(each instanceof Error && each.cause instanceof Error));
  return reason(last, place).replace(/\.$/, '');
}

/** The error itself or the first of its causes that fits. */
function among(error: unknown, fits: (each: unknown) => boolean): unknown {
  for (let each = error, depth = 0; depth < 8 && each instanceof Error; each = each.cause, depth++) {
    if (fits(each)) return each;
  }
  return undefined;
}
