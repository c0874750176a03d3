// What is spoken over the control socket: a request a line as JSON, an answer a line. Who asks is whoever may open the
// socket, the owner of this installation; no request says who it is from. `hello` comes first, with the process that
// asks: ./control-peer.ts.

import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../../base/error-codes.ts';
import { HermesError } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';

/** Longer lines end the connection. */
export const LONGEST_LINE = 64 * 1024;

const decision = z.union([
  z.object({ kind: z.literal('approve'), scope: z.enum(['once', 'session', 'always']) }),
  z.object({ kind: z.literal('deny'), reason: z.string().exactOptional() }),
]);

const request = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('hello'), pid: z.int().positive() }),
  z.object({ verb: z.literal('status') }),
  /** `restart`: it ends in a way that makes its supervisor start it again. */
  z.object({ verb: z.literal('stop'), purpose: z.enum(['end', 'restart']) }),
  z.object({ verb: z.literal('answer-approval'), approval: z.string(), decision }),
  z.object({ verb: z.literal('people-changed') }),
  z.object({ verb: z.literal('revoke-allowed'), entry: z.string() }),
  z.object({ verb: z.literal('claim') }),
  z.object({
    verb: z.literal('change-sandbox'),
    sandbox: z.string(),
    action: z.enum(['suspend', 'destroy']),
  }),
  z.object({ verb: z.literal('invite'), platform: z.string(), person: z.string() }),
]);

type AnyRequest = z.infer<typeof request>;
export type ControlRequest = Exclude<AnyRequest, { verb: 'hello' }>;

export const parseGreeting = (ok: unknown): string | null =>
  z.object({ name: z.string().nullable() }).parse(ok).name;

const answer = z.union([
  z.object({ ok: z.unknown() }),
  z.object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
  }),
]);

/** Throws USAGE_BAD_ARGUMENTS for what is no request, also one of a newer program. */
export function parseRequest(line: string): AnyRequest {
  const parsed = request.safeParse(jsonOf(line));
  if (parsed.success) return parsed.data;
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    'The running gateway does not know this request. Restart it if Hermes was updated: hermes gateway restart',
  );
}

/** What was asked for; throws what the gateway answered with instead. */
export function parseAnswer(line: string): unknown {
  const parsed = answer.safeParse(jsonOf(line));
  if (!parsed.success) throw new HermesError('BUG_UNEXPECTED', 'The gateway answered what nobody can read.');
  if (!('error' in parsed.data)) return parsed.data.ok;
  const { code, message, details } = parsed.data.error;
  const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'BUG_UNEXPECTED'; // it is a key of the table
  throw new HermesError(known, message, { details });
}
