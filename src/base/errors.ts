// The one error class of the project. What a code means to each reader stands in error-codes.ts.
import { type ErrorCode, errorCodes } from './error-codes.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * Something failed that the caller must react to by code, never by text. `message` says what failed, on what,
 * and what to do; `details` is plain JSON for programs; the vendor's own error stays in `cause`.
 */
export class HermesError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HermesError';
    this.code = code;
    this.details = options.details ?? {};
  }

  get exitCode(): number {
    return errorCodes[this.code].exit;
  }

  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details };
  }
}

export function isHermesError(error: unknown, code?: ErrorCode): error is HermesError {
  return error instanceof HermesError && (code === undefined || error.code === code);
}

/** Anything thrown, as a HermesError; what nobody expected is a bug and says so. */
export function asHermesError(error: unknown): HermesError {
  if (error instanceof HermesError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new HermesError('BUG_UNEXPECTED', `Unexpected failure: ${text}. Please report it with the log.`, {
    cause: error,
  });
}

/** The `code` of a Node system error such as ENOENT, or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
