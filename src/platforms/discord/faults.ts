// What went wrong between us and Discord, as our own errors. Addresses of interactions contain a token, so nothing of the
// original gets through that was not looked at. Pure.
import { z } from 'zod';
import { type ErrorDetails, HermesError } from '../../base/errors.ts';
import { networkFault } from '../network-fault.ts';

export interface Endpoint {
  readonly apiRoot: string;
  readonly token: string;
}

/** The codes of Discord's own that somebody here reacts to. */
export const UNKNOWN_CHANNEL = 10_003;
export const THREAD_EXISTS = 160_004;
/** Of an interaction, after a quarter of an hour; the bot's own token is another matter. */
const EXPIRED_TOKEN = 50_027;

// The library has a class for each; their fields tell them apart without loading it.
const limitShape = z.object({ retryAfter: z.number(), timeToReset: z.number() });
const refusalShape = z.object({ status: z.int(), code: z.union([z.number(), z.string()]).optional() });

/** Anything that a call threw, as a HermesError without tokens. `what` was to be done, such as `send a message`. */
export function discordFault(error: unknown, what: string, endpoint: Endpoint): HermesError {
  if (error instanceof HermesError) return error;
  const limit = limitShape.safeParse(error).data;
  if (limit) {
    const retryAfterMs = Math.max(1, Math.ceil(limit.retryAfter || limit.timeToReset));
    return limited(retryAfterMs, { details: { what } });
  }
  const refused = refusalShape.safeParse(error).data;
  return refused ? refusal(error, { ...refused, what }, endpoint) : unreachable(error, what, endpoint);
}

interface Refused {
  readonly what: string;
  readonly status: number;
  readonly code?: number | string | undefined;
}

function refusal(error: unknown, { what, status, code }: Refused, endpoint: Endpoint): HermesError {
  const told = error instanceof Error ? error.message : String(error);
  const reason = withoutTokens(told, endpoint) || `status ${status}`;
  const details = { what, status, reason, ...(code === undefined ? {} : { code }) };
  const cause = new Error(`${status}: ${reason}`);
  if (status === 401 && code !== EXPIRED_TOKEN) return badToken(endpoint, { details, cause });
  if (status >= 500) {
    return new HermesError('UNAVAILABLE_PLATFORM', `Discord could not ${what} (${status}: ${reason}).`, {
      // A gateway in between does not know what became of it.
      details: { ...details, mayBeDelivered: status === 502 || status === 504 },
      cause,
    });
  }
  return new HermesError('USAGE_NOT_DELIVERED', `Discord refuses to ${what}: ${reason}.`, { details, cause });
}

interface Origin {
  readonly details: ErrorDetails;
  readonly cause?: Error;
}

export function limited(retryAfterMs: number, { details, cause }: Origin): HermesError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new HermesError('UNAVAILABLE_PLATFORM', `Discord asks us to wait ${seconds} s.`, {
    details: { ...details, retryAfterMs, mayBeDelivered: false },
    ...(cause ? { cause } : {}),
  });
}

export function badToken({ apiRoot }: Pick<Endpoint, 'apiRoot'>, { details, cause }: Origin): HermesError {
  const message = `Discord at ${apiRoot} refuses the token of the bot. In the developer portal open the application, press Reset Token under Bot, and set \`discord.bot_token\` or DISCORD_BOT_TOKEN.`;
  return new HermesError('AUTH_PLATFORM_TOKEN', message, { details, ...(cause ? { cause } : {}) });
}

/** Without it messages in servers come without their text. */
export function intentIsOff(details: ErrorDetails): HermesError {
  const message =
    'Discord does not let the bot read messages. In the developer portal open the application, turn on Message Content Intent under Bot, Privileged Gateway Intents, save, and start again.';
  return new HermesError('CONFIG_INVALID', message, { details });
}

function unreachable(error: unknown, what: string, endpoint: Endpoint): HermesError {
  const { reason: known, mayBeDelivered, message } = networkFault(error);
  const told = withoutTokens(message, endpoint);
  const isUnreadable = error instanceof SyntaxError;
  const reason = known ?? (isUnreadable ? 'its answer is not one of Discord’s' : told);
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `Discord is not reachable at ${endpoint.apiRoot}: ${reason}. It is tried again.`,
    {
      details: { what, reason, mayBeDelivered },
      cause: new Error(told),
    },
  );
}

function withoutTokens(text: string, { token }: Endpoint): string {
  // The last part is the secret one; an address of an interaction has its own.
  const secret = token.split('.').at(-1) || token;
  return text
    .replaceAll(token, '…')
    .replaceAll(secret, '…')
    .replace(/\/(webhooks|interactions)\/\S+/g, '/$1/…')
    .replace(/\s*\n\s*/g, '; ')
    .replace(/\.$/, '');
}
