// What the shape of a secret is: words with which it can begin, and how to tell from there whether it is one.
import { matchAt } from './sticky.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
  /** What stands in its place says so: `[redacted:<kind>]`. */
  readonly kind: string;
  /** Where spans overlap the highest one names the kind: known values, tokens, what a protocol says, a name. */
  readonly rank: number;
  /** What else belongs to it when the text goes on: one sticky expression that eats characters of a class. */
  readonly tail?: RegExp;
  /** It goes on over lines and its end was not seen. */
  readonly isOpen?: boolean;
}

export const RANK = { named: 1, spoken: 2, token: 3, known: 4 } as const;

export interface Shape {
  /** Each of at least three characters. */
  readonly anchors: readonly string[];
  readonly letters: 'exact' | 'any-case';
  /** One look takes in all that follows in the line, so far: anchors there need no look of their own. */
  readonly looksAhead?: number;
  /** What is to be hidden around an anchor at `at`. Looks at most `REACH` characters ahead, and within the line. */
  find(text: string, at: number): readonly Span[];
}

/** No shape looks farther than this, so that a stream need not hold more. */
export const REACH = 6_000;

const TOKEN_TAIL = /[\w-]*/y;
/** No secret, but what documentation writes in its place; it gives nothing away either. */
const MADE_UP = /^[xX.*_\-0•#]+$|xxxxxxxx|your[-_]?(?:api|token|key|secret|access)|placeholder/i;

export interface TokenRow {
  readonly kind: string;
  readonly anchors: readonly string[];
  /** The whole token from the anchor on, every repetition bounded. */
  readonly source: string;
  /** How many characters of the token stand before the anchor. */
  readonly before?: number;
  /** `any`: the anchor tells enough, whatever stands before it. */
  readonly border?: 'word' | 'any';
  readonly tail?: RegExp;
}

/** A shape from one line of a table. */
export function tokenShape({ kind, anchors, source, before = 0, border = 'word', tail }: TokenRow): Shape {
  const pattern = new RegExp(source, 'y');
  return {
    anchors,
    letters: 'exact',
    find(text, at) {
      const start = at - before;
      if (start < 0 || (border === 'word' && !isWordStart(text, start))) return [];
      const found = matchAt(pattern, text, start);
      if (!found) return [];
      const [whole, value = whole] = found;
      const anchor = anchors.find(each => whole.startsWith(each, before)) ?? '';
      if (MADE_UP.test(value === whole ? whole.slice(before + anchor.length) : value)) return [];
      const end = start + whole.length;
      return [{ start: end - value.length, end, kind, rank: RANK.token, tail: tail ?? TOKEN_TAIL }];
    },
  };
}

/** Whether a word can begin here: also after an escape of JSON, of a URL or of a terminal, which end in letters. */
export function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isWordUnit(text.charCodeAt(at - 1))) return true;
  const before = text.slice(Math.max(0, at - 12), at);
  return /(?:\\[nrtbfv0]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\x1b\[[\d;]*[A-Za-z])$/.test(
    before,
  );
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95
  );
}
