// What the shape of a secret is: words with which it can begin, and how to tell from there whether it is one.
import type { Scan } from './scan.ts';
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

export const RANK = { named: 1, spoken: 2, token: 3, known: 4, withheld: 5 } as const;

export interface Shape {
  /** Each of at least three characters. */
  readonly anchors: readonly string[];
  readonly letters: 'exact' | 'any-case';
  /** It finds a known value in pieces; where one was found whole, there is no need to look. */
  readonly isOfKnown?: true;
  /**
   * What is to be hidden around an anchor at `at`. Looks at most `REACH` characters ahead, and within the line. What it
   * reads beyond a few dozen characters it asks the scan for, or pays for: `scan.spend`.
   */
  find(text: string, at: number, scan: Scan): readonly Span[];
}

/** No shape looks farther than this, so that a stream need not hold more. */
export const REACH = 6_000;

const [BACKSLASH, PERCENT] = [92, 37];
const MOST_MADE_UP = 100;
/** Of a look at a token that goes beyond its first letters, in steps. */
const PRICE = 300;

const TOKEN_TAIL = /[\w-]*/y;
/** No secret, but what documentation writes in its place; it gives nothing away either. */
const MADE_UP = /^[xX.*_\-0•#]+$|xxxxxxxx|your[-_]?(?:api|token|key|secret|access)|placeholder/i;

export interface TokenRow {
  readonly kind: string;
  readonly anchors: readonly string[];
  /** So much of the token, from the anchor on, as tells it; every repetition bounded and short. */
  readonly source: string;
  /** How many characters of the token stand before the anchor. */
  readonly before?: number;
  /** `any`: the anchor tells enough, whatever stands before it. */
  readonly border?: 'word' | 'any';
  /** The characters of the rest of it. Absent = letters, digits, `_` and `-`. */
  readonly tail?: RegExp;
}

/** A shape from one line of a table. */
export function tokenShape({
  kind,
  anchors,
  source,
  before = 0,
  border = 'word',
  tail = TOKEN_TAIL,
}: TokenRow): Shape {
  const pattern = new RegExp(source, 'y');
  return {
    anchors,
    letters: 'exact',
    find(text, at, scan) {
      const start = at - before;
      if (start < 0 || (border === 'word' && !isWordStart(scan, start))) return [];
      const found = matchAt(pattern, text, start) ?? matchAt(pattern, scan.upToBorder(start), 0);
      if (!found) return [];
      const [whole, value = whole] = found;
      const first = start + whole.length - value.length;
      const end = scan.runEnd(tail, start + whole.length);
      const from = value === whole ? first + before + anchorLength(whole, anchors, before) : first;
      scan.spend(PRICE);
      if (isMadeUp(text, from, end)) return [];
      return [{ start: first, end, kind, rank: RANK.token, tail }];
    },
  };
}

/** Whether the value that ends at `end` is one of documentation; its first letters tell. */
export function isMadeUp(text: string, from: number, end: number): boolean {
  return MADE_UP.test(text.slice(from, Math.min(end, from + MOST_MADE_UP)));
}

function anchorLength(whole: string, anchors: readonly string[], before: number): number {
  return anchors.find(each => whole.startsWith(each, before))?.length ?? 0;
}

/** Whether a word can begin here: also after an escape of JSON or of a URL, and where something unseen stood. */
export function isWordStart(scan: Scan, at: number): boolean {
  const { text } = scan;
  if (at === 0 || !isWordUnit(text.charCodeAt(at - 1)) || scan.isBorder(at)) return true;
  if (text.charCodeAt(at - 2) === BACKSLASH) return /[nrtbfv0]/.test(text.charAt(at - 1));
  if (text.charCodeAt(at - 3) === PERCENT) return /^[0-9A-Fa-f]{2}/.test(text.slice(at - 2, at));
  if (text.charCodeAt(at - 4) === BACKSLASH) return /^x[0-9A-Fa-f]{2}/.test(text.slice(at - 3, at));
  return text.charCodeAt(at - 6) === BACKSLASH && /^u[0-9A-Fa-f]{4}/.test(text.slice(at - 5, at));
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95
  );
}
