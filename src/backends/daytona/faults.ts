// The errors of this backend: what the API answers, translated at this edge, each with what to do.
import { HermesError } from '../../base/errors.ts';
import type { Problem, SandboxRef } from '../backend.ts';

/** What came back instead of an answer. `status` undefined = nothing did, and nobody knows whether the call was carried out. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number | undefined,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Whether the call may have been carried out all the same. */
  get isAmbiguous(): boolean {
    return this.status === undefined || this.status >= 500;
  }
}

export type FaultReason =
  | 'no-sdk'
  | 'no-key'
  | 'bad-key'
  | 'not-allowed'
  | 'quota'
  | 'rate-limit'
  | 'region-full'
  | 'unreachable'
  | 'service'
  | 'refused';

interface Explained {
  readonly reason: FaultReason;
  readonly text: string;
  readonly fix: string;
}

export interface FaultPlace {
  readonly apiUrl: string;
  readonly target: string | undefined;
}

/** The words of the API are the only place where it tells a quota from a missing right, and a full region from a bad request. */
export function explain(fault: ApiFault, { apiUrl, target }: FaultPlace): Explained {
  const { status, message } = fault;
  const said = message === '' ? '' : `: ${message.replace(/[.\s]+$/, '')}`;
  if (status === undefined)
    return {
      reason: 'unreachable',
      text: `Daytona cannot be reached at ${apiUrl}${said}.`,
      fix: 'Check the network, and terminal.daytona_api_url (DAYTONA_API_URL).',
    };
  if (status === 401)
    return {
      reason: 'bad-key',
      text: `Daytona does not accept the API key${said}.`,
      fix: 'Make a new one at https://app.daytona.io/dashboard/keys and set DAYTONA_API_KEY.',
    };
  if (status === 429)
    return {
      reason: 'rate-limit',
      text: `Daytona answers fewer calls than were made${said}.`,
      fix: 'Try again in a minute; a higher tier of the organisation allows more.',
    };
  if (/no available runners|no capacity|capacity/i.test(message))
    return {
      reason: 'region-full',
      text: `The region ${target ?? 'of the organisation'} has no room for another sandbox${said}.`,
      fix: 'Try again later, or set terminal.daytona_target (DAYTONA_TARGET) to another region.',
    };
  if (/limit exceeded|quota|maximum allowed|suspended|credit|billing/i.test(message))
    return {
      reason: 'quota',
      text: `The organisation’s quota at Daytona is used up${said}.`,
      fix: 'Destroy sandboxes (`hermes sandbox list`), lower terminal.container_cpu, _memory or _disk, or raise the quota at https://app.daytona.io/dashboard/limits.',
    };
  if (status === 403)
    return {
      reason: 'not-allowed',
      text: `The API key may not do this${said}.`,
      fix: 'Give it the rights write:sandboxes and delete:sandboxes.',
    };
  if (status >= 500)
    return {
      reason: 'service',
      text: `Daytona fails by itself (${status}${said}).`,
      fix: 'Look at https://status.app.daytona.io and try again.',
    };
  return {
    reason: 'refused',
    text: `Daytona refuses the call (${status}${said}).`,
    fix: 'Check terminal.daytona_image, terminal.daytona_target and the limits.',
  };
}

export function unavailable({ reason, text, fix }: Explained, cause?: unknown): HermesError {
  return new HermesError('UNAVAILABLE_BACKEND', `${text} ${fix}`, { details: { reason, text, fix }, cause });
}

/** That the backend as a whole is of no use is another matter than that this sandbox cannot be made. */
const CONCERNS_ONE: readonly FaultReason[] = ['quota', 'rate-limit', 'region-full', 'refused'];

export function creationError(name: string, explained: Explained, cause: unknown): HermesError {
  const { reason, text, fix } = explained;
  if (!CONCERNS_ONE.includes(reason)) return unavailable(explained, cause);
  const message = `The sandbox ${name} was not made. ${text} ${fix}`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { name, reason, text, fix }, cause });
}

export function notCreated(name: string, text: string, fix: string, cause?: unknown): HermesError {
  const message = `The sandbox ${name} was not made: ${text} ${fix}`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { name, text, fix }, cause });
}

export function gone(ref: SandboxRef, how = 'does not exist any more', cause?: unknown): HermesError {
  const message = `The sandbox ${ref.name} ${how}.`;
  return new HermesError('SANDBOX_GONE', message, { details: { ref }, cause });
}

export const noKey: Explained = {
  reason: 'no-key',
  text: 'No API key is set for the daytona backend.',
  fix: 'Make one at https://app.daytona.io/dashboard/keys and set DAYTONA_API_KEY.',
};

export function noSdk(command: string): Explained {
  return {
    reason: 'no-sdk',
    text: 'The client of Daytona is not installed.',
    fix: `Run \`${command}\`.`,
  };
}

/** What was thrown, for an operator. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof HermesError)) return { message: String(error), fix: 'Please report it.' };
  const { text, fix } = error.details;
  return {
    message: typeof text === 'string' ? text : error.message,
    fix: typeof fix === 'string' ? fix : 'Mend that and try again.',
  };
}
