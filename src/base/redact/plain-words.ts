// How far the beginning of a line can go out before the line is whole: over words that no secret is made of and none
// begins with. For text that people watch being written.
import type { Span } from './shape.ts';
import { matchAt } from './sticky.ts';

/** Marks of emphasis, code and quotation before a word, and these with punctuation behind it. */
const BEFORE = '[("“\'‘*_`~\\[]{0,4}';
const AFTER = '[)"”\'’*_`~\\]]{0,4}[.,!?;:…]{0,3}[)"”\'’*_`~\\]]{0,4}';
const JOINT = "[-_./'’+&]";
/** What may be a line of a key is none; all else that is a secret without spaces is seen as soon as the word is whole. */
const NO_KEY = '(?!\\S{0,80}[A-Za-z0-9+/]{20})';
/** Known values can be written byte by byte, `70 6c`: behind a number must stand what is no other byte. */
const NO_BYTE = '(?=\\n|[ \\t]{3}|[ \\t]{1,2}(?!0x)(?:[^\\s0-9a-fA-F\\\\%&:,;-]|[0-9a-fA-F][^0-9a-fA-F]))';
/** Of lists, headings, quotations, tables and blocks of code. */
const MARK = '(?:[-+•>|–—]|#{1,6}|\\*{1,3}|`{1,3})';

/**
 * A word and the space that shows its end; languages without spaces go letter by letter. A flag, an assignment and an
 * address are no words.
 */
const WORD = new RegExp(
  [
    `${NO_KEY}${BEFORE}\\p{L}{1,19}(?:${JOINT}\\p{L}{1,19}){0,8}${AFTER}(?=\\s)`,
    `${NO_KEY}${BEFORE}[\\p{L}\\d]{1,19}(?:(?:${JOINT}|:(?=\\d))[\\p{L}\\d]{1,19}){0,8}%?${AFTER}${NO_BYTE}`,
    `${MARK}(?=\\s)`,
    '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}。，！？、]',
    '[ \\t\\n]',
  ].join('|'),
  'uy',
);
/** Only such values can begin with a whole word and go on after it. */
const OF_SEVERAL_WORDS = /[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
/** After one of these, what follows may be a secret though it is a plain word. */
const TELLING =
  /token|secret|pwd|pass|key|cred|auth|cookie|jwt|mnemonic|session|signature|dsn|webhook|otp|seed|salt|psk|kennwort|_pw|_pat|_sid|bearer|basic|digest|negotiate|login|name|value|private|echo|printf/i;

/** Those of the known values that plain words may be the beginning of. */
export function formsOfWords(forms: readonly string[]): readonly string[] {
  return forms.filter(form => OF_SEVERAL_WORDS.test(form));
}

/**
 * The end of the plain words that stand at `from`; `from` when there are none. `forms` are known values: what may be
 * the beginning of one is held.
 */
export function plainWordsEnd(
  text: string,
  from: number,
  { spans, forms }: { readonly spans: readonly Span[]; readonly forms: readonly string[] },
): number {
  const first = spans.find(({ end }) => end > from)?.start ?? text.length;
  let end = from;
  for (;;) {
    const word = matchAt(WORD, text, end)?.[0];
    if (word === undefined || TELLING.test(word) || end + word.length > first) break;
    end += word.length;
  }
  return Math.max(from, Math.min(end, begunAt(text, forms)));
}

/** Where the last letters begin that may become a known value; the end of the text when there are none. */
export function begunAt(text: string, forms: readonly string[]): number {
  let earliest = text.length;
  for (const form of forms) {
    const head = form.charAt(0);
    const oldest = Math.max(text.length - form.length + 1, 0);
    for (let at = text.indexOf(head, oldest); at !== -1 && at < earliest; at = text.indexOf(head, at + 1)) {
      if (form.startsWith(text.slice(at))) earliest = at;
    }
  }
  return earliest;
}
