// What a server said about a failure, whichever way the library handed it over: thrown, or as a part of the stream.
import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { stripAnsi } from '../base/strip-ansi.ts';

export interface ServerSaid {
  /** Of the answer, or what its words amount to; absent when there was no answer at all. */
  readonly status?: number;
  /** Machine-readable words for what is wrong: `context_length_exceeded`, `overloaded_error`. */
  readonly words: readonly string[];
  /** For people, on one line, bounded. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_TEXT = 300;

/** Servers that call themselves compatible differ most in their errors. */
const fault = z.looseObject({
  message: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
});
const body = z.union([
  z.object({ error: fault }),
  z
    .object({ error: z.string() })
    .transform(({ error }) => ({ error: { message: error } as z.infer<typeof fault> })),
  fault.transform(error => ({ error })),
]);

type Redact = (text: string) => string;

export function readFailure(error: unknown, redact: Redact): ServerSaid {
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const { statusCode, responseBody = '', responseHeaders = {}, message } = error;
    return said(parsed(responseBody) ?? {}, {
      status: statusCode,
      fallback: responseBody || message,
      headers: responseHeaders,
      redact,
    });
  }
  const known = body.safeParse(error instanceof Error ? { ...error, message: error.message } : error);
  return said(known.success ? known.data.error : {}, { fallback: String(error), headers: {}, redact });
}

/** For answers that never reached the library. */
export function readAnswer(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  redact: Redact,
): ServerSaid {
  return said(parsed(text) ?? {}, { status, fallback: text, headers: Object.fromEntries(headers), redact });
}

function parsed(text: string): z.infer<typeof fault> | undefined {
  try {
    const known = body.safeParse(JSON.parse(text));
    return known.success ? known.data.error : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Around {
  readonly status?: number;
  readonly fallback: string;
  readonly headers: Record<string, string>;
  readonly redact: Redact;
}

function said(
  { message, type, code, statusCode }: z.infer<typeof fault>,
  { status, fallback, headers, redact }: Around,
): ServerSaid {
  const words = [type, code].filter(word => typeof word === 'string');
  const meant = status ?? statusCode ?? (typeof code === 'number' ? code : statusOf(words));
  return {
    words,
    text: cut(redact(oneLine(message ?? fallback))),
    headers,
    ...(meant === undefined ? {} : { status: meant }),
  };
}

const STATUS_OF_WORDS: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  authentication_error: 401,
  invalid_api_key: 401,
  api_error: 500,
  server_error: 500,
};

/** In the middle of a stream there is no status any more. */
function statusOf(words: readonly string[]): number | undefined {
  return words.map(word => STATUS_OF_WORDS[word]).find(status => status !== undefined);
}

function oneLine(text: string): string {
  return stripAnsi(text).replace(/\s+/g, ' ').trim();
}

function cut(line: string): string {
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line;
}
