// The other end of the thread beside the main one: it is given texts and answers where something is to be hidden.
import { parentPort } from 'node:worker_threads';
import { Meter } from './meter.ts';
import { makeSearch, type SearchOptions } from './search.ts';
import type { Span } from './shape.ts';

export interface Asked {
  readonly text: string;
  /** How many steps the meter has left. */
  readonly left: number;
}

export interface Answered {
  readonly spans: readonly Span[];
  readonly left: number;
}

/** Expressions are dear to send; only what may go on behind the text needs its own. */
function light({ tail, ...span }: Span, length: number): Span {
  return tail && span.end === length ? { ...span, tail } : span;
}

/** Called in the thread, once; answers one text after another. */
export function serve(options: SearchOptions): void {
  const { finder } = makeSearch(options);
  parentPort?.on('message', ({ text, left }: Asked) => {
    const meter = new Meter(left);
    const spans = finder.spansIn(text, meter).map(span => light(span, text.length));
    parentPort?.postMessage({ spans, left: meter.left } satisfies Answered);
  });
}
