// The errors of this backend, each with what failed and what to do.
import { HermesError } from '../../base/errors.ts';
import type { Problem, SandboxRef } from '../backend.ts';

export function unavailable(reason: string, fix: string, cause?: unknown): HermesError {
  const message = `The singularity backend cannot be used: ${sentence(reason)} ${sentence(fix)}`;
  return new HermesError('UNAVAILABLE_BACKEND', message, { details: { reason, fix }, cause });
}

export function notCreated(reason: string, fix: string, cause?: unknown): HermesError {
  const message = `The sandbox could not be made: ${sentence(reason)} ${sentence(fix)}`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { reason, fix }, cause });
}

export function gone(ref: SandboxRef): HermesError {
  const message = `The sandbox ${ref.name} does not exist any more.`;
  return new HermesError('SANDBOX_GONE', message, { details: { ref } });
}

/** What was thrown, for an operator. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof HermesError)) return { message: String(error), fix: 'Please report it.' };
  const { reason, fix } = error.details;
  return {
    message: typeof reason === 'string' ? sentence(reason) : error.message,
    fix: typeof fix === 'string' ? sentence(fix) : 'Mend that and try again.',
  };
}

/** What others say may end with a full stop or not. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
