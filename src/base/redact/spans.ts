// What is to be hidden in a text: all that is found, with overlaps joined, and the text with marks in its place.
import { type Anchor, type AnchorTable, makeAnchorTable } from './anchor-table.ts';
import { assignments } from './assignments.ts';
import { commandLines } from './command-lines.ts';
import { headers } from './headers.ts';
import { pivotSpans } from './pivot-tokens.ts';
import { privateKeys } from './private-keys.ts';
import { spansSeenThrough } from './seen-through.ts';
import { RANK, type Shape, type Span, tokenShape } from './shape.ts';
import { matchAt } from './sticky.ts';
import { vendorTokens } from './vendor-tokens.ts';

const KNOWN = 'known';

export interface Finder {
  /** In order, none touching another's inside. */
  spansIn(text: string): Span[];
}

/** `forms` are the known values in all their forms, `bytewise` the same as numbers; with shapes off only they are found. */
export function makeFinder(
  forms: readonly string[],
  bytewise: readonly Shape[],
  shapes: 'on' | 'off',
): Finder {
  const known: Anchor<Shape | undefined>[] = forms.map(text => ({
    text,
    letters: 'exact',
    value: undefined,
  }));
  const all = shapes === 'on' ? [...bytewise, ...allShapes()] : bytewise;
  const table = makeAnchorTable([...known, ...anchorsOf(all)]);
  const find = (text: string): Span[] =>
    shapes === 'on' ? joined([...found(text, table), ...pivotSpans(text)]) : joined(found(text, table));
  return {
    spansIn(text) {
      const spans = find(text);
      const through = spansSeenThrough(text, find);
      return through.length === 0 ? spans : joined([...spans, ...through]);
    },
  };
}

/** What stands in the place of a secret. */
export function markOf({ kind }: Pick<Span, 'kind'>): string {
  return `[redacted:${kind}]`;
}

function allShapes(): Shape[] {
  return [...vendorTokens.map(tokenShape), ...privateKeys, ...headers, ...commandLines, ...assignments];
}

function anchorsOf(shapes: readonly Shape[]): Anchor<Shape>[] {
  return shapes.flatMap(shape => shape.anchors.map(text => ({ text, letters: shape.letters, value: shape })));
}

function found(text: string, table: AnchorTable<Shape | undefined>): Span[] {
  const spans: Span[] = [];
  // What lies within a token of the same shape is part of it; looking again would only cost.
  const done = new Map<Shape, number>();
  table.visit(text, (at, shape, length) => {
    if (shape === undefined) {
      const last = spans.at(-1);
      // A value that repeats itself is found at every step.
      if (last?.rank === RANK.known && at < last.end) {
        spans[spans.length - 1] = { ...last, end: Math.max(last.end, at + length) };
      } else spans.push({ start: at, end: at + length, kind: KNOWN, rank: RANK.known });
    } else if (at >= (done.get(shape) ?? 0)) {
      if (shape.looksAhead) done.set(shape, lookedUntil(text, at, shape.looksAhead));
      for (const span of shape.find(text, at)) {
        const whole = withTail(text, span);
        done.set(shape, Math.max(whole.end, done.get(shape) ?? 0));
        spans.push(whole);
      }
    }
  });
  return spans;
}

function lookedUntil(text: string, at: number, looksAhead: number): number {
  const lineEnd = text.slice(at, at + looksAhead).search(/[\r\n]/);
  return at + (lineEnd === -1 ? looksAhead : lineEnd);
}

/** A token is hidden as far as it goes, however long it is. */
export function withTail(text: string, span: Span): Span {
  if (!span.tail) return span;
  const more = matchAt(span.tail, text, span.end)?.[0].length ?? 0;
  return more === 0 ? span : { ...span, end: span.end + more };
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end) result[result.length - 1] = joinTwo(last, span);
    else result.push(span);
  }
  return result;
}

function joinTwo(first: Span, second: Span): Span {
  const { kind, rank } = second.rank > first.rank ? second : first;
  const farther = second.end > first.end ? second : first;
  const { tail } = farther;
  const isOpen = first.isOpen || second.isOpen;
  const { start } = first;
  return { start, end: farther.end, kind, rank, ...(tail ? { tail } : {}), ...(isOpen ? { isOpen } : {}) };
}
