// What is to be hidden in a text: all that is found, with overlaps joined, and the text with marks in its place.
import { type Anchor, type AnchorTable, makeAnchorTable } from './anchor-table.ts';
import { assignments } from './assignments.ts';
import { commandLines } from './command-lines.ts';
import { headers } from './headers.ts';
import { jwt } from './jwt.ts';
import { Meter } from './meter.ts';
import { pivotSpans } from './pivot-tokens.ts';
import { privateKeys } from './private-keys.ts';
import { Scan } from './scan.ts';
import { seenText } from './seen-through.ts';
import { RANK, type Shape, type Span, tokenShape } from './shape.ts';
import { matchAt } from './sticky.ts';
import { vendorTokens } from './vendor-tokens.ts';
import { WITHHELD, WITHHELD_MARK, withheldFrom } from './withheld.ts';

const KNOWN = 'known';
/** What a look at one anchor costs before it spends more itself, and what a span does, in steps. */
const [LOOK_STEPS, KNOWN_STEPS, SPAN_STEPS] = [250, 80, 300];

export interface Finder {
  /** In order, none touching another's inside. Texts of one stream share a meter. */
  spansIn(text: string, meter?: Meter): Span[];
}

/** `forms` are the known values in all their forms, `split` find them in pieces; with shapes off only they are found. */
export function makeFinder(forms: readonly string[], split: readonly Shape[], shapes: 'on' | 'off'): Finder {
  const known: Anchor<Shape | undefined>[] = forms.map(text => ({
    text,
    letters: 'exact',
    value: undefined,
  }));
  const all = shapes === 'on' ? [...split, ...allShapes] : split;
  const table = makeAnchorTable([...known, ...anchorsOf(all)]);
  const find = (scan: Scan, meter: Meter): Span[] => {
    const spans = found(scan, meter, table);
    return joined(shapes === 'on' ? [...spans, ...pivotSpans(scan)] : spans);
  };
  return {
    spansIn(text, meter = new Meter()) {
      const through = seenText(text);
      if (!through) return find(new Scan(text, meter), meter);
      return through.moved(find(new Scan(through.seen, meter, through.borders), meter));
    },
  };
}

/** What stands in the place of a secret. */
export function markOf({ kind }: Pick<Span, 'kind'>): string {
  return kind === WITHHELD ? WITHHELD_MARK : `[redacted:${kind}]`;
}

export const allShapes: readonly Shape[] = [
  ...vendorTokens.map(tokenShape),
  jwt,
  ...privateKeys,
  ...headers,
  ...commandLines,
  ...assignments,
];

function anchorsOf(shapes: readonly Shape[]): Anchor<Shape>[] {
  return shapes.flatMap(shape => shape.anchors.map(text => ({ text, letters: shape.letters, value: shape })));
}

function found(scan: Scan, meter: Meter, table: AnchorTable<Shape | undefined>): Span[] {
  const { text } = scan;
  const spans: Span[] = [];
  let [passed, knownEnd] = [0, 0];
  table.visit(text, (at, shape, length) => {
    meter.earn(at - passed);
    passed = at;
    meter.spend(at < knownEnd || shape === undefined ? KNOWN_STEPS : LOOK_STEPS);
    if (shape === undefined) {
      const last = spans.at(-1);
      // A value that repeats itself is found at every step.
      if (last?.rank === RANK.known && at < last.end) {
        spans[spans.length - 1] = { ...last, end: Math.max(last.end, at + length) };
      } else spans.push({ start: at, end: at + length, kind: KNOWN, rank: RANK.known });
      knownEnd = Math.max(knownEnd, at + length);
    } else if (!scan.isDone(shape, at) && !(at < knownEnd && shape.isOfKnown)) {
      for (const span of shape.find(text, at, scan)) {
        const whole = span.tail ? { ...span, end: scan.runEnd(span.tail, span.end) } : span;
        scan.setDone(shape, whole.end);
        spans.push(whole);
        meter.spend(SPAN_STEPS);
      }
    }
    if (!meter.isEmpty) return 0;
    const hidden = withheldFrom(text, at);
    spans.push(hidden);
    return hidden.end;
  });
  return spans;
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
