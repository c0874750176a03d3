// Private keys: whole blocks between their marks, blocks cut off at either end, and bodies that begin like a key.
import type { Scan } from './scan.ts';
import { RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

const KIND = 'private-key';
/** A key of 16,384 bits has 13,000 characters; nothing longer is one. */
export const LONGEST_BODY = 16_384;
/** How much of one line before an end mark is looked at. */
const LONGEST_REST = 4000;
/** Of a look, in steps. */
const PRICE = 300;
/** Shorter lines count only as the last one of a body. */
const FULL_LINE = 20;

const LINES = /Private-Lines: \d{1,3}/y;
/** The five characters before the word. */
const DASHES = 5;
const BEGIN =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----/y;
const BREAKS = /(?:\r?\n[ \t>|]{0,40}|(?:\\{1,2}r)?\\{1,2}n|[ \t]){0,8}/y;
const LINE =
  /(?:Proc-Type|DEK-Info|Comment|Version|Hash|Subject|X-[\w-]{1,20}): [^\r\n\\]{0,100}|[A-Za-z0-9+/=]{40,4096}|[A-Za-z0-9+/=]{1,39}(?=[ \t]{0,40}(?:[\r\n"'`…]|----|\\{1,2}[nr]|\.\.\.|$))/y;
export const BODY_LINE = new RegExp(`^[ \\t>|]{0,40}[A-Za-z0-9+/=]{${FULL_LINE},200}\\r?$`);
const LAST_LINE = /^[ \t>|]{0,40}[A-Za-z0-9+/=]{1,200}\r?$/;
/** What the end of a line is made of on which the whole body stands, as in JSON. */
const BODY_UNIT = /[A-Za-z0-9+/=\\ \t]/;

export const privateKeys: readonly Shape[] = [
  {
    anchors: ['Private-Lines: '],
    letters: 'exact',
    find(text, at, scan) {
      const from = after(LINES, text, at);
      return from === undefined ? [] : [blockFrom(scan, at, from)];
    },
  },
  {
    // Their dashes are no anchors: lines of nothing else are common.
    anchors: ['BEGIN '],
    letters: 'exact',
    find(text, at, scan) {
      const start = at - DASHES;
      const from = after(BEGIN, text, start);
      return from === undefined ? [] : [blockFrom(scan, start, from)];
    },
  },
  {
    anchors: ['END '],
    letters: 'exact',
    find(text, at, scan) {
      const mark = at - DASHES;
      const end = after(END, text, mark);
      return end === undefined ? [] : [{ start: bodyStart(scan, mark), end, kind: KIND, rank: RANK.token }];
    },
  },
  headless(['b3BlbnNzaC1rZXktdjE'], /b3BlbnNzaC1rZXktdjE/y),
  headless(['MII'], /MII[A-Za-z0-9+/]{3}IBA(?:AK[BC]|DANBgkq)|MIGHAgEAMBMGByqGSM49/y),
  headless(
    ['MHcCAQEE', 'MIGkAgEBBD', 'MC4CAQAwBQYDK2Vw', 'MIGHAgEAMBMG'],
    /MHcCAQEE|MIGkAgEBBD|MC4CAQAwBQYDK2Vw|MIGHAgEAMBMG/y,
  ),
];

/** A body without its first mark, told by the first bytes that every such key has. */
function headless(anchors: readonly string[], head: RegExp): Shape {
  return {
    anchors,
    letters: 'exact',
    find: (text, at, scan) => (after(head, text, at) === undefined ? [] : [blockFrom(scan, at, at)]),
  };
}

function blockFrom(scan: Scan, start: number, from: number): Span {
  const { text } = scan;
  const bodyEnd = bodyFrom(text, from);
  const markAt = after(BREAKS, text, bodyEnd) ?? bodyEnd;
  const end = after(END, text, markAt);
  scan.spend(PRICE + 2 * (markAt - start));
  const span = { start, end: end ?? bodyEnd, kind: KIND, rank: RANK.token };
  // As long as the line after it is not whole, it may still belong to the body.
  return end === undefined && !scan.hasBreakAfter(markAt) ? { ...span, isOpen: true } : span;
}

function bodyFrom(text: string, from: number): number {
  let end = from;
  while (end - from < LONGEST_BODY) {
    const next = after(LINE, text, after(BREAKS, text, end) ?? end);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

/** Where the lines before an end mark begin that can only be the key. */
function bodyStart(scan: Scan, mark: number): number {
  const { text } = scan;
  let start = mark;
  while (start > 0 && mark - start < LONGEST_REST && BODY_UNIT.test(text.charAt(start - 1))) start--;
  const isIndented = text.charAt(start - 1) === '\n' && text.slice(start, mark).trim() === '';
  const first = isIndented ? runStart(text, start) : start;
  scan.spend(PRICE + 10 * (mark - start) + 2 * (mark - first));
  return first;
}

/**
 * Where the run of lines begins that may be the body of a key and ends with the line break before `end`; `end` when
 * there is none. Only its last line may be short.
 */
export function runStart(text: string, end: number): number {
  const last = lineBefore(text, end);
  if (!LAST_LINE.test(text.slice(last, end - 1))) return end;
  let start = isFull(text, last, end) ? last : end;
  for (let next = last; next > 0 && end - next < LONGEST_BODY; ) {
    const line = lineBefore(text, next);
    if (!isFull(text, line, next)) break;
    start = next = line;
  }
  return start;
}

function isFull(text: string, start: number, end: number): boolean {
  return end - start < 260 && BODY_LINE.test(text.slice(start, end - 1));
}

/** Where the line begins whose line break stands before `end`. */
function lineBefore(text: string, end: number): number {
  return end < 2 ? 0 : text.lastIndexOf('\n', end - 2) + 1;
}

/** The end of what the sticky expression finds at `at`. */
function after(sticky: RegExp, text: string, at: number): number | undefined {
  if (at < 0) return undefined;
  const found = matchAt(sticky, text, at);
  return found ? at + found[0].length : undefined;
}
