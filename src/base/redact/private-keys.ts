// Private keys: whole blocks between their marks, blocks cut off at either end, and bodies that begin like a key.
import { RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

const KIND = 'private-key';
/** A key of 16,384 bits has 13,000 characters; nothing longer is one. */
export const LONGEST_BODY = 16_384;
/** How much of one line before an end mark is looked at. */
const LONGEST_REST = 4000;
/** Shorter lines count only as the last one of a body. */
const FULL_LINE = 20;

const BEGIN =
  /Private-Lines: \d{1,3}|-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----/y;
const BREAKS = /(?:\r?\n[ \t>|]{0,40}|(?:\\{1,2}r)?\\{1,2}n|[ \t]){0,8}/y;
const LINE =
  /(?:Proc-Type|DEK-Info|Comment|Version|Hash|Subject|X-[\w-]{1,20}): [^\r\n\\]{0,100}|[A-Za-z0-9+/=]{40,4096}|[A-Za-z0-9+/=]{1,39}(?=[ \t]*(?:[\r\n"'`…]|----|\\{1,2}[nr]|\.\.\.|$))/y;
const BODY_LINE = new RegExp(`^[ \\t>|]{0,40}[A-Za-z0-9+/=]{${FULL_LINE},200}\\r?$`);
const LAST_LINE = /^[ \t>|]{0,40}[A-Za-z0-9+/=]{1,200}\r?$/;
/** The end of a line on which the whole body stands, as in JSON. */
const BODY_BEFORE = /[A-Za-z0-9+/=\\nr \t]{1,4000}$/;

export const privateKeys: readonly Shape[] = [
  {
    anchors: ['-----BEGIN ', '---- BEGIN SSH2', 'Private-Lines: '],
    letters: 'exact',
    find(text, at) {
      const from = after(BEGIN, text, at);
      return from === undefined ? [] : [blockFrom(text, at, from)];
    },
  },
  {
    anchors: ['-----END ', '---- END SSH2'],
    letters: 'exact',
    find(text, at) {
      const end = after(END, text, at);
      return end === undefined ? [] : [{ start: bodyStart(text, at), end, kind: KIND, rank: RANK.token }];
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
    find: (text, at) => (after(head, text, at) === undefined ? [] : [blockFrom(text, at, at)]),
  };
}

function blockFrom(text: string, start: number, from: number): Span {
  const bodyEnd = bodyFrom(text, from);
  const markAt = after(BREAKS, text, bodyEnd) ?? bodyEnd;
  const end = after(END, text, markAt);
  const span = { start, end: end ?? bodyEnd, kind: KIND, rank: RANK.token };
  // As long as the line after it is not whole, it may still belong to the body.
  return end === undefined && !text.includes('\n', markAt) ? { ...span, isOpen: true } : span;
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
function bodyStart(text: string, mark: number): number {
  const before = text.slice(Math.max(0, mark - LONGEST_REST), mark);
  const sameLine = before.slice(before.lastIndexOf('\n') + 1);
  if (sameLine.trim() !== '') return mark - (BODY_BEFORE.exec(sameLine)?.[0].length ?? 0);
  return runStart(text, mark - sameLine.length);
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
  const found = matchAt(sticky, text, at);
  return found ? at + found[0].length : undefined;
}
