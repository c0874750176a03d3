// What went wrong between us and the Bot API, as our own errors. The token is part of every address, so nothing of the
// original gets through that was not looked at. Pure.
import { GrammyError, HttpError } from 'grammy';
import { type ErrorDetails, HermesError } from '../../base/errors.ts';
import { networkFault } from '../network-fault.ts';

export interface Endpoint {
  readonly apiRoot: string;
  readonly token: string;
}

/** Anything that a call threw, as a HermesError without the token. */
export function telegramFault(error: unknown, method: string, endpoint: Endpoint): HermesError {
  if (error instanceof HermesError) return error;
  if (error instanceof GrammyError) return refusal(error, method, endpoint);
  return unreachable(error instanceof HttpError ? error.error : error, method, endpoint);
}

function refusal(error: GrammyError, method: string, endpoint: Endpoint): HermesError {
  const { error_code: status, parameters } = error;
  const reason = withoutToken(String(error.description), endpoint);
  const details = { method, status, reason };
  const cause = new Error(`${status}: ${reason}`);
  if (status === 401) return badToken(endpoint, { details, cause });
  if (status === 429 || status === 420) {
    const retryAfterMs = (parameters.retry_after ?? 1) * 1000;
    return limited(retryAfterMs, { details, cause });
  }
  if (status === 409 || status >= 500) {
    const message = `Telegram could not do ${method} (${status}: ${reason}). It is tried again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message, {
      details: { ...details, mayBeDelivered: false },
      cause,
    });
  }
  const movedTo = parameters.migrate_to_chat_id;
  return new HermesError('USAGE_NOT_DELIVERED', `Telegram refuses ${method}: ${reason}.`, {
    details: { ...details, ...(movedTo === undefined ? {} : { movedTo }) },
    cause,
  });
}

interface Origin {
  readonly details: ErrorDetails;
  readonly cause?: Error;
}

export function limited(retryAfterMs: number, { details, cause }: Origin): HermesError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `Telegram asks us to wait ${seconds} s before the next message.`,
    {
      details: { ...details, retryAfterMs, mayBeDelivered: false },
      ...(cause ? { cause } : {}),
    },
  );
}

export function badToken({ apiRoot }: Pick<Endpoint, 'apiRoot'>, { details, cause }: Origin): HermesError {
  const message = `Telegram at ${apiRoot} refuses the token of the bot. Ask @BotFather for the present one (/token), and set \`telegram.bot_token\` or TELEGRAM_BOT_TOKEN.`;
  return new HermesError('AUTH_PLATFORM_TOKEN', message, { details, ...(cause ? { cause } : {}) });
}

function unreachable(thrown: unknown, method: string, endpoint: Endpoint): HermesError {
  const { reason: known, mayBeDelivered, message } = networkFault(thrown);
  const told = withoutToken(message, endpoint);
  const reason = known ?? (isUnreadable(thrown) ? 'its answer is not one of the Bot API' : told);
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `Telegram is not reachable at ${endpoint.apiRoot}: ${reason}. It is tried again.`,
    {
      details: { method, reason, mayBeDelivered },
      cause: new Error(told),
    },
  );
}

/** node-fetch's own mark: a proxy's page instead of JSON. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'invalid-json';
}

/** The Bot API has no code for it, only this text: the message says already what it was to say. */
export function isUnchanged({ details }: HermesError): boolean {
  return String(details['reason']).includes('message is not modified');
}

function withoutToken(text: string, { token }: Pick<Endpoint, 'token'>): string {
  const secret = token.slice(token.indexOf(':') + 1);
  return text.replaceAll(token, '…').replaceAll(secret === '' ? token : secret, '…');
}
