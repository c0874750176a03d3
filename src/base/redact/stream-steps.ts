// How a stream goes on when a piece of output has come: whole lines go out as soon as they are certain; of a line that
// never ends a bounded piece is held, and what of a secret has been hidden already is remembered. Who searches, and in
// which thread, is decided elsewhere.
import { isHalfAPair } from './field.ts';
import { Meter } from './meter.ts';
import { begunAt, plainWordsEnd } from './plain-words.ts';
import { LONGEST_BODY, runStart } from './private-keys.ts';
import type { Search } from './search.ts';
import { REACH, type Span } from './shape.ts';
import { markOf, withTail } from './spans.ts';

/** `wordsBefore`: plain words go out before their line is whole, but for the beginnings of these known values. */
export type StreamParts = Omit<Search, 'wordsBefore'> & Partial<Search>;

/** A line longer than this is cut. */
const LONGEST_LINE = 65_536;
/** What stays in view before a cut within a line, so that a name is still there when its value comes. */
const CONTEXT = 256;
/** What stays in view behind a line, so that a known value is still told that has its first letters there. */
const LAST_LETTERS = 24;
/** Below this it does not matter how often the same text is searched. */
const SMALL = 4096;

interface State {
  held: string;
  /** How much of the beginning of `held` has gone out already. */
  shown: number;
  /** A secret whose mark has gone out and that goes on in `held`, up to its `end`. */
  hidden?: Span | undefined;
}

/** A text that must be searched before it goes on. */
export interface Sought {
  readonly text: string;
  readonly meter: Meter;
}

/** Ends with what can go out; asks for what is to be hidden on its way, at most once. */
export type Step = Generator<Sought, string, readonly Span[]>;

export function streamSteps(parts: StreamParts): { push(text: string): Step; flush(): Step } {
  const { longest, longestOverLines, begunAtEnd, wordsBefore } = parts;
  const overlap = Math.max(REACH, longest) + CONTEXT;
  const limit = LONGEST_LINE + LONGEST_BODY + overlap * 2;
  let meter = new Meter();
  let pieces: string[] = [];
  let waiting = 0;
  let tryAgainAt = 0;
  let state: State = { held: '', shown: 0 };

  function* advance(isEnd: boolean): Step {
    const length = state.held.length + waiting;
    // What brought nothing is not tried again for every few letters.
    if (!isEnd && length < Math.min(tryAgainAt, limit)) return '';
    const text = state.held + pieces.join('');
    pieces = [];
    waiting = 0;
    state = { ...state, held: text };
    const lineEnd = wordsBefore ? calmLine(text, wordsBefore) : lineCut(text, longestOverLines);
    const cut = isEnd ? text.length : beforeBegun(text, lineEnd, begunAtEnd);
    const isWorthIt =
      isEnd ||
      (cut > state.shown && (text.length < SMALL || cut * 4 > text.length)) ||
      (wordsBefore !== undefined && text.length < SMALL);
    if (text.length < limit && !isWorthIt) return '';
    const trial = meter.copy();
    const spans = withHidden(text, yield { text, meter: trial }, state.hidden);
    const lines = isEnd ? cut : Math.min(cut, openLine(text, spans));
    const isStuck = lines <= state.shown && text.length >= limit;
    const words = wordsBefore && !isEnd ? plainWordsEnd(text, lines, { spans, forms: wordsBefore }) : lines;
    const end = isStuck ? wholeUnit(text, text.length - overlap) : words;
    tryAgainAt = end > state.shown || text.length < SMALL ? 0 : text.length * 1.25;
    if (end <= state.shown) return '';
    meter = trial;
    const result = show(text, spans, state.shown, end);
    state = remaining(text, spans, end, isStuck ? CONTEXT : Math.max(LAST_LETTERS, end - lines));
    return result;
  }

  return {
    *push(text) {
      pieces.push(text);
      waiting += text.length;
      const canEnd = wordsBefore !== undefined || /[\r\n]/.test(text) || state.held.length + waiting >= limit;
      return canEnd ? yield* advance(false) : '';
    },
    *flush() {
      const rest = yield* advance(true);
      state = { held: '', shown: 0 };
      return rest;
    },
  };
}

/** The end of the last line before which nothing can change any more. */
function lineCut(text: string, longestOverLines: number): number {
  const last = Math.min(text.length - 1, text.length - longestOverLines);
  if (last < 0) return 0;
  const end = text.lastIndexOf('\n', last) + 1;
  // A progress bar ends its lines with a return alone.
  let bare = text.lastIndexOf('\r', last);
  while (bare >= end && (bare === text.length - 1 || text.charAt(bare + 1) === '\n')) {
    bare = bare === 0 ? -1 : text.lastIndexOf('\r', bare - 1);
  }
  if (bare >= end) return bare + 1;
  if (end === 0) return 0;
  // What may be the body of a key may as well be the value of the line before it.
  return beforeHalf(text, runStart(text, end));
}

/** The end of the last line, or where the line begins in which a known value begins that may go on in the next. */
function beforeBegun(text: string, lineEnd: number, begunAtEnd: (text: string) => number): number {
  const begun = begunAtEnd(text.slice(0, lineEnd));
  return begun >= lineEnd ? lineEnd : text.lastIndexOf('\n', Math.max(0, begun - 1)) + 1;
}

/** Where the line begins that ends before `end`, when the value to it comes on the next one; else `end`. */
function beforeHalf(text: string, end: number): number {
  if (end < 2) return end;
  const line = text.lastIndexOf('\n', end - 2) + 1;
  return isHalfAPair(text.slice(Math.max(line, end - 300), end - 1)) ? line : end;
}

/** The same, where what may be the beginning of a known value is known. */
function calmLine(text: string, forms: readonly string[]): number {
  const begun = begunAt(text, forms);
  return Math.min(lineCut(text, 0), text.lastIndexOf('\n', begun - 1) + 1);
}

/** Where the line begins in which something begins that is not over yet. */
function openLine(text: string, spans: readonly Span[]): number {
  const open = spans.find(({ isOpen }) => isOpen);
  if (!open) return text.length;
  return open.start <= 0 ? 0 : text.lastIndexOf('\n', open.start - 1) + 1;
}

/** Half a character must not go out: it would be written as a broken one. */
function wholeUnit(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** The spans, with the one first whose beginning is gone. */
function withHidden(text: string, spans: readonly Span[], hidden: Span | undefined): Span[] {
  if (!hidden) return [...spans];
  let whole = withTail(text, hidden);
  const rest: Span[] = [];
  for (const span of spans) {
    if (span.start < whole.end)
      whole = span.end > whole.end ? { ...whole, ...span, start: whole.start } : whole;
    else rest.push(span);
  }
  return [whole, ...rest];
}

function show(text: string, spans: readonly Span[], shown: number, end: number): string {
  let from = shown;
  let result = '';
  for (const span of spans) {
    if (span.start >= end) break;
    if (span.end <= from) continue;
    // The mark of what begins before the text has gone out already.
    if (span.start >= 0) result += text.slice(from, Math.max(from, span.start)) + markOf(span);
    from = span.end;
  }
  return result + (from < end ? text.slice(from, end) : '');
}

function remaining(text: string, spans: readonly Span[], end: number, context: number): State {
  const kept = Math.max(0, end - context);
  const cut = spans.find(span => span.start < end && span.end > end);
  const hidden = cut && { ...cut, start: -1, end: cut.end - kept };
  return { held: text.slice(kept), shown: end - kept, hidden };
}
