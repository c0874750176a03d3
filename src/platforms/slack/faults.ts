// What went wrong between us and Slack, as our own errors. Nothing of the original gets through that was not looked at. Pure.
import { type ErrorDetails, HermesError } from '../../base/errors.ts';
import { networkFault } from '../network-fault.ts';

export interface Endpoint {
  readonly apiRoot: string;
  readonly botToken: string;
  readonly appToken: string;
}

/** Which of the two tokens a call was made with. */
export type TokenKind = 'bot' | 'app';

export interface CallOrigin {
  readonly method: string;
  readonly token: TokenKind;
  readonly endpoint: Endpoint;
}

const BAD_TOKEN = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'team_access_not_granted',
  'user_removed_from_team',
  'team_disabled',
];
/** Slack's own trouble, and whether it may have done what it was asked to. */
const TROUBLE: Readonly<Record<string, boolean>> = {
  internal_error: true,
  fatal_error: true,
  request_timeout: true,
  service_unavailable: false,
  team_added_to_org: false,
  org_login_required: false,
};
const LIMITED = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];
/** It speaks of the blocks only: without them the message may go through. */
const BAD_BLOCKS = ['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'block_mismatch'];

const DEFAULT_WAIT_MS = 1000;

/** The shapes of the errors of Slack's client, by their codes. */
interface SdkError {
  readonly code?: unknown;
  readonly data?: { readonly error?: unknown; readonly needed?: unknown };
  readonly retryAfter?: unknown;
  readonly statusCode?: unknown;
  readonly original?: unknown;
}

/** Anything that a call threw, as a HermesError without a token. */
export function slackFault(error: unknown, origin: CallOrigin): HermesError {
  if (error instanceof HermesError) return error;
  const told = (error ?? {}) as SdkError; // every field is looked at before it is used
  switch (told.code) {
    case 'slack_webapi_platform_error':
      return refusal(told.data ?? {}, origin);
    case 'slack_webapi_rate_limited_error':
      return limited(typeof told.retryAfter === 'number' ? told.retryAfter * 1000 : DEFAULT_WAIT_MS, {
        details: { method: origin.method, status: 429 },
      });
    case 'slack_webapi_http_error':
      return httpFault(Number(told.statusCode), origin);
    case 'slack_webapi_request_error':
      return unreachable(told.original, origin);
    default:
      return unreachable(error, origin);
  }
}

function refusal({ error, needed }: NonNullable<SdkError['data']>, origin: CallOrigin): HermesError {
  const { method, endpoint, token } = origin;
  // A page of a proxy stands there as a whole.
  if (typeof error !== 'string' || !/^[a-z_]+$/i.test(error)) return unreadable(endpoint, method);
  const details = { method, reason: error };
  const cause = new Error(error);
  if (BAD_TOKEN.includes(error)) return badToken(token, error, { details, cause });
  if (LIMITED.includes(error)) return limited(DEFAULT_WAIT_MS, { details, cause });
  if (Object.hasOwn(TROUBLE, error)) {
    return new HermesError(
      'UNAVAILABLE_PLATFORM',
      `Slack could not do ${method} (${error}). It is tried again.`,
      {
        details: { ...details, mayBeDelivered: TROUBLE[error] },
        cause,
      },
    );
  }
  if (error === 'missing_scope') {
    const scope = typeof needed === 'string' ? needed.replace(/[^\w:.,-]/g, '') : 'a scope';
    const message = `Slack refuses ${method}: the app has no ${scope}. Add it under OAuth & Permissions, and install the app again.`;
    return new HermesError('USAGE_NOT_DELIVERED', message, { details: { ...details, needed: scope }, cause });
  }
  return new HermesError('USAGE_NOT_DELIVERED', `Slack refuses ${method}: ${error}.`, { details, cause });
}

interface Origin {
  readonly details: ErrorDetails;
  readonly cause?: Error;
}

export function limited(retryAfterMs: number, { details, cause }: Origin): HermesError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `Slack asks us to wait ${seconds} s before the next message.`,
    {
      details: { ...details, retryAfterMs, mayBeDelivered: false },
      ...(cause ? { cause } : {}),
    },
  );
}

const WHERE: Readonly<Record<TokenKind, string>> = {
  bot: 'Take the Bot User OAuth Token (xoxb-…) from OAuth & Permissions at api.slack.com/apps, and set `slack.bot_token` or SLACK_BOT_TOKEN.',
  app: 'Make an App-Level Token (xapp-…) with the scope connections:write under Basic Information at api.slack.com/apps, and set `slack.app_token` or SLACK_APP_TOKEN.',
};

export function badToken(token: TokenKind, reason: string, { details, cause }: Origin): HermesError {
  const name = token === 'bot' ? 'the bot token' : 'the app-level token';
  return new HermesError('AUTH_PLATFORM_TOKEN', `Slack refuses ${name} (${reason}). ${WHERE[token]}`, {
    details: { ...details, token },
    ...(cause ? { cause } : {}),
  });
}

/** 500 and 503 come from Slack before it has done anything; others from what stands between. */
function httpFault(status: number, { method, endpoint }: CallOrigin): HermesError {
  if (!Number.isInteger(status) || status < 500) return unreadable(endpoint, method, status);
  const message = `Slack could not do ${method} (${status}). It is tried again.`;
  const mayBeDelivered = status !== 500 && status !== 503;
  return new HermesError('UNAVAILABLE_PLATFORM', message, { details: { method, status, mayBeDelivered } });
}

export function unreadable({ apiRoot }: Endpoint, method: string, status?: number): HermesError {
  const message = `What ${apiRoot} answers to ${method} is nothing of Slack's Web API. Check \`slack.api_root\`, and what stands between.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, {
    details: { method, mayBeDelivered: true, ...(status === undefined ? {} : { status }) },
  });
}

function unreachable(thrown: unknown, { method, endpoint }: CallOrigin): HermesError {
  const { reason: known, mayBeDelivered, message } = networkFault(thrown);
  const told = withoutTokens(message, endpoint);
  const reason = known ?? told;
  return new HermesError(
    'UNAVAILABLE_PLATFORM',
    `Slack is not reachable at ${endpoint.apiRoot}: ${reason}. It is tried again.`,
    {
      details: { method, reason, mayBeDelivered },
      cause: new Error(told),
    },
  );
}

/** For what is done before anything is to be seen: whatever fails of it has shown nobody anything. */
export async function unseen<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HermesError)) throw error;
    const { code, message, details, cause } = error;
    throw new HermesError(code, message, { details: { ...details, mayBeDelivered: false }, cause });
  }
}

export function areBlocksRefused({ code, details }: HermesError): boolean {
  return code === 'USAGE_NOT_DELIVERED' && BAD_BLOCKS.includes(String(details['reason']));
}

/** Also of the address of a socket, whose ticket is one. */
function withoutTokens(text: string, { botToken, appToken }: Endpoint): string {
  return text
    .replaceAll(botToken, '…')
    .replaceAll(appToken, '…')
    .replace(/\b(wss?:\/\/[^\s?]+)\?\S+/g, '$1?…');
}
