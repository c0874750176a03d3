// How the end of a command that failed is told. Pure.
import type { HermesError } from '../base/errors.ts';
import type { Look } from './command.ts';
import { wrapLines } from './table.ts';

interface ErrorTextOptions {
  readonly json: boolean;
  readonly look: Look;
  /** On a terminal; in a file or a pipe a message stays in its lines. */
  readonly isShown: boolean;
  readonly redact: (text: string) => string;
}

export function errorText(error: HermesError, { json, look, isShown, redact }: ErrorTextOptions): string {
  if (json) return redact(JSON.stringify({ error }));
  const { red, dim } = look.colors;
  const said = `error ${error.code}: ${redact(error.message)}`;
  const text = (isShown ? wrapLines(said, look) : said).replace(
    `error ${error.code}`,
    `${red('error')} ${dim(error.code)}`,
  );
  const { cause } = error;
  const isBug = error.code === 'BUG_UNEXPECTED' && cause instanceof Error;
  return isBug ? `${text}\n${redact(cause.stack ?? '')}` : text;
}
