// Why the service did not do what was asked, from its status codes. Pure.
import type { Problem } from '../backend.ts';
import { TookTooLong } from './patience.ts';

export type ReasonName =
  | 'no-sdk'
  | 'no-token'
  | 'bad-key'
  | 'not-allowed'
  | 'quota'
  | 'rate-limit'
  | 'region-full'
  | 'unreachable'
  | 'image'
  | 'refused';

export interface Reason extends Problem {
  readonly name: ReasonName;
}

/** gRPC's numbers. */
const STATUS = {
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
  cancelled: 1,
} as const;

/** After these nobody knows whether it was done. */
const OPEN_ENDED: readonly number[] = [
  STATUS.cancelled,
  STATUS.unknown,
  STATUS.deadlineExceeded,
  STATUS.internal,
  STATUS.unavailable,
];

/** Of an error that the SDK passes on from its gRPC client; undefined for any other. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'ClientError' || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** Whether what was asked for may have been done all the same. */
export function isOpenEnded(error: unknown): boolean {
  const status = statusOf(error);
  if (error instanceof TookTooLong) return true;
  return isNamed(error, 'AlreadyExistsError') || (status !== undefined && OPEN_ENDED.includes(status));
}

/** The SDK's own errors are told apart by name, so that it need not be loaded for that. */
export function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** What was asked for is not there. */
export function isNotFound(error: unknown): boolean {
  return isNamed(error, 'NotFoundError') || statusOf(error) === STATUS.notFound;
}

export interface Circumstances {
  readonly app: string;
  readonly server: string;
  readonly regions: readonly string[];
  /** The service has told when to come again. */
  readonly isRateLimit: boolean;
}

export function reasonOf(error: unknown, it: Circumstances): Reason {
  const said = error instanceof Error ? detailsOf(error) : String(error);
  const status = statusOf(error);
  if (status === STATUS.unauthenticated) return badKey(said);
  if (status === STATUS.permissionDenied) {
    return {
      name: 'not-allowed',
      message: `Modal does not let this token use the app ${it.app}: ${said}.`,
      fix: 'Ask the owner of the workspace for the rights, or set another token.',
    };
  }
  if (status === STATUS.resourceExhausted || isNamed(error, 'ResourceExhaustedError')) {
    return exhausted(said, it);
  }
  if (error instanceof TookTooLong || (status !== undefined && OPEN_ENDED.includes(status))) {
    return {
      name: 'unreachable',
      message: `Modal does not answer at ${it.server}: ${said}.`,
      fix: 'Check the network from here, and https://status.modal.com.',
    };
  }
  return {
    name: 'refused',
    message: `Modal refuses it: ${said}.`,
    fix: 'Mend the setting that the message names.',
  };
}

function badKey(said: string): Reason {
  return {
    name: 'bad-key',
    message: `Modal does not accept the token: ${said}.`,
    fix: 'Make one at https://modal.com/settings/tokens, and set MODAL_TOKEN_ID and MODAL_TOKEN_SECRET.',
  };
}

/** The service has one status for all three; whether it tells a time, and its words, are the only difference. */
function exhausted(said: string, { isRateLimit, regions }: Circumstances): Reason {
  if (isRateLimit) {
    return {
      name: 'rate-limit',
      message: `Modal takes no more calls for now: ${said}.`,
      fix: 'Try again in a minute; lower gateway.max_sandboxes if it comes back.',
    };
  }
  if (/capacity|unavailable|no (?:machine|worker)/i.test(said)) {
    const where = regions.length > 0 ? `in ${regions.join(', ')}` : 'at the moment';
    return {
      name: 'region-full',
      message: `Modal has no room for a sandbox ${where}: ${said}.`,
      fix: 'Name further regions in terminal.modal_region or none at all, ask for less cpu and memory, or try later.',
    };
  }
  return {
    name: 'quota',
    message: `The Modal workspace has used up what it may: ${said}.`,
    fix: 'Raise its limits or its budget at https://modal.com/settings, or end sandboxes that nobody needs.',
  };
}

export const noToken: Reason = {
  name: 'no-token',
  message: 'There is no token for Modal.',
  fix: 'Make one at https://modal.com/settings/tokens, and set MODAL_TOKEN_ID and MODAL_TOKEN_SECRET (or write ~/.modal.toml).',
};

/** The version that the driver was written for. */
const INSTALL = 'npm install modal@0.11.1';

export const noSdk: Reason = {
  name: 'no-sdk',
  message: 'The package for Modal is not installed.',
  fix: `Install it where Hermes is: \`${INSTALL}\`.`,
};

/** Without the path of the call, which the gRPC client puts before its words. */
function detailsOf(error: Error): string {
  const details = 'details' in error && typeof error.details === 'string' ? error.details : error.message;
  return details.trim().replace(/\.$/, '') || error.message;
}
