// What went wrong between us and the Graph API, as our own errors. The token is in no address, but a server may repeat what it
// was sent, so nothing of the original gets through that was not looked at. Pure.
import { z } from 'zod';
import { type ErrorDetails, HermesError } from '../../base/errors.ts';
import { networkFault } from '../network-fault.ts';

export interface Endpoint {
  readonly apiRoot: string;
  readonly token: string;
  readonly phoneNumberId: string;
}

/** An answer that is none of success. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly header: (name: string) => string | null;
}

const bodyShape = z.object({
  error: z.object({
    code: z.int(),
    message: z.string().default(''),
    error_subcode: z.int().optional(),
    is_transient: z.boolean().optional(),
    error_data: z.object({ details: z.string() }).optional(),
  }),
});
const usageShape = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().nonnegative() })),
);

/** More than 24 hours have passed since the person wrote. */
const WINDOW_CLOSED = 131047;
/** The file is none that WhatsApp takes as what it was said to be. */
const BAD_MEDIA = [100, 131051, 131052, 131053];
const BAD_TOKEN = [0, 3, 10, 190, 131005];
/** Seconds to wait where the server names none. */
const LIMITS: Readonly<Record<number, number>> = {
  4: 60,
  613: 60,
  80007: 60,
  130429: 1,
  131048: 600,
  131056: 6,
};
const PASSING = [1, 2, 131000, 131016, 133004];

const HINTS: Readonly<Record<number, string>> = {
  131021: 'This is the number of the agent itself.',
  131026:
    'The person may have blocked it, has an old WhatsApp or none, or has not accepted its terms. They should write first.',
  131030:
    'A test number reaches only people on its list: API Setup, step "To", Manage phone number list; or use a number of your own.',
  131031: 'The business account is locked; the WhatsApp Manager says why.',
  131049: 'Meta limits how many templates one person gets. They should write first.',
  131050: 'The person has turned such templates off. They should write first.',
  131053: 'The file may not be what its name says. Send it in another format.',
  368: 'The business account is blocked for a while; the WhatsApp Manager says why.',
};

const WINDOW_REASON =
  'WhatsApp lets a business write freely for 24 hours after a person has written, and this person’s last message is older. They have to write first; or set `whatsapp.template_name` to an approved template, which may be sent at any time';

export function refusalFault(refusal: Refusal, what: string, endpoint: Endpoint): HermesError {
  const { status } = refusal;
  const error = bodyShape.safeParse(refusal.body).data?.error;
  const code = error?.code;
  const reason = withoutToken(error?.error_data?.details || error?.message || 'no reason given', endpoint);
  const origin = {
    details: { what, status, reason, ...(code === undefined ? {} : { code }) },
    cause: new Error(`${status}, ${code ?? 'no code'}: ${reason}`),
  };
  if (status === 401 || isBadToken(code)) return badToken(endpoint, origin);
  const waitMs = limitOf(refusal, code);
  if (waitMs !== undefined) return limited(waitMs, origin);
  if (status >= 500 || error?.is_transient || PASSING.includes(code ?? -1)) {
    return unavailable(`WhatsApp could not do ${what} (${status}: ${reason}). It is tried again.`, {
      ...origin,
      // A page of a proxy's says nothing about what happened behind it.
      details: { ...origin.details, mayBeDelivered: error === undefined },
    });
  }
  return new HermesError('USAGE_NOT_DELIVERED', refusedText(what, code, reason), origin);
}

function refusedText(what: string, code: number | undefined, reason: string): string {
  if (code === WINDOW_CLOSED) return `WhatsApp refuses ${what}: ${WINDOW_REASON}.`;
  const hint = HINTS[code ?? -1];
  return `WhatsApp refuses ${what}: ${reason.replace(/\.$/, '')}.${hint ? ` ${hint}` : ''}`;
}

function isBadToken(code: number | undefined): boolean {
  return code !== undefined && (BAD_TOKEN.includes(code) || (code >= 200 && code < 300));
}

export function isWindowClosed({ details }: HermesError): boolean {
  return details['code'] === WINDOW_CLOSED;
}

export function isBadMedia({ code, details }: HermesError): boolean {
  return code === 'USAGE_NOT_DELIVERED' && BAD_MEDIA.some(each => each === details['code']);
}

/** The window has closed; part of it may have gone out in a template. */
export function windowFault(said: string, cause: unknown): HermesError {
  return new HermesError('USAGE_NOT_DELIVERED', said, { details: { code: WINDOW_CLOSED }, cause });
}

/** Why something that was accepted did not arrive; a webhook said so later. */
export function lateFault(code: number | undefined, reason: string): HermesError {
  const details = code === undefined ? {} : { code };
  return new HermesError('USAGE_NOT_DELIVERED', refusedText('a message', code, reason), { details });
}

function limitOf({ status, header }: Refusal, code: number | undefined): number | undefined {
  const byCode = LIMITS[code ?? -1];
  if (status !== 429 && byCode === undefined) return undefined;
  const asked = Number(header('retry-after') ?? Number.NaN);
  const usage = usageShape.safeParse(parsed(header('x-business-use-case-usage'))).data ?? {};
  const minutes = Math.max(
    0,
    ...Object.values(usage)
      .flat()
      .map(each => each.estimated_time_to_regain_access),
  );
  const seconds = asked > 0 ? asked : minutes > 0 ? minutes * 60 : (byCode ?? 10);
  return seconds * 1000;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Origin {
  readonly details: ErrorDetails;
  readonly cause?: Error;
}

export function limited(retryAfterMs: number, { details, cause }: Origin): HermesError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return unavailable(`WhatsApp asks us to wait ${seconds} s before the next message.`, {
    details: { ...details, retryAfterMs, mayBeDelivered: false },
    ...(cause ? { cause } : {}),
  });
}

function unavailable(message: string, { details, cause }: Origin): HermesError {
  return new HermesError('UNAVAILABLE_PLATFORM', message, { details, ...(cause ? { cause } : {}) });
}

export function badToken({ apiRoot }: Pick<Endpoint, 'apiRoot'>, { details, cause }: Origin): HermesError {
  const message = `WhatsApp at ${apiRoot} refuses the access token, or it may not use this number. Make one for a system user with whatsapp_business_messaging and whatsapp_business_management, and set \`whatsapp.access_token\` or WHATSAPP_ACCESS_TOKEN; check \`whatsapp.phone_number_id\`.`;
  return new HermesError('AUTH_PLATFORM_TOKEN', message, { details, ...(cause ? { cause } : {}) });
}

/** Anything that a call threw on its way, without the token. */
export function transportFault(thrown: unknown, what: string, endpoint: Endpoint): HermesError {
  if (thrown instanceof HermesError) return thrown;
  const { reason: known, mayBeDelivered, message } = networkFault(thrown);
  const told = withoutToken(message, endpoint);
  const reason = known ?? told;
  return unavailable(`WhatsApp is not reachable at ${endpoint.apiRoot}: ${reason}. It is tried again.`, {
    details: { what, reason, mayBeDelivered },
    cause: new Error(told),
  });
}

export function interrupted(what: string, reason: string, { apiRoot }: Endpoint): HermesError {
  return unavailable(`WhatsApp at ${apiRoot} did not finish ${what}: ${reason}. Try again.`, {
    details: { what, reason, mayBeDelivered: true },
  });
}

/** It answers, and not as the Graph API does. */
export function strangeAnswer(what: string, { apiRoot }: Endpoint): HermesError {
  return unavailable(
    `What ${apiRoot} answers to ${what} is not of the Graph API. Check \`whatsapp.api_root\`.`,
    {
      details: { what, mayBeDelivered: true },
    },
  );
}

function withoutToken(text: string, { token }: Pick<Endpoint, 'token'>): string {
  return text.replaceAll(token, '…');
}
