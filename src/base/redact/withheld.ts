// Text that is hidden unseen, because searching it would take too long. What may be a secret that begins in it is
// hidden with it.
import { BODY_LINE } from './private-keys.ts';
import { RANK, type Span } from './shape.ts';

export const WITHHELD = 'withheld';
export const WITHHELD_MARK = '[withheld: could not be searched for secrets in time]';

/** What a token may have before the place by which it is told. */
const BEFORE = 128;
const AT_ONCE = 4096;
/** How far the end of the last word is looked for, and that of the last line. */
const LONGEST_WORD = 2048;

/** From a place where the search was given up to one where it can go on. */
export function withheldFrom(text: string, at: number): Span {
  const start = Math.max(0, at - BEFORE);
  return { start, end: safeEnd(text, at + AT_ONCE), kind: WITHHELD, rank: RANK.withheld };
}

/** What begins in it and goes on afterwards, a word or the body of a key, is hidden too. */
const TAIL = /(?:(?<=\S)\S*)?(?:(?:\r?\n|(?<=\n))[ \t>|]{0,40}[A-Za-z0-9+/=]{20,200}(?=\r?\n))*/y;

/** For a text that was not searched at all. */
export function allWithheld(text: string): readonly Span[] {
  return [{ start: 0, end: text.length, kind: WITHHELD, rank: RANK.withheld, tail: TAIL }];
}

/** A place at or after `at` that lies in no secret which has begun before it. */
function safeEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const ahead = text.slice(at, at + LONGEST_WORD);
  const lineEnd = ahead.indexOf('\n');
  if (lineEnd !== -1) return afterBody(text, at + lineEnd + 1);
  const wordEnd = ahead.search(/\s/);
  return wordEnd === -1 ? Math.min(text.length, at + LONGEST_WORD) : at + wordEnd;
}

/** Lines that may be the body of a key whose first line was not seen belong to it. */
function afterBody(text: string, at: number): number {
  let end = at;
  for (;;) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0 || next - end > LONGEST_WORD || !BODY_LINE.test(text.slice(end, next - 1))) return end;
    end = next;
  }
}
