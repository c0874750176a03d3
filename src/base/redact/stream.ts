// Redaction of output that comes in pieces, in the main thread or, where much comes at once, beside it.
import { nextTurn } from '../clock.ts';
import type { SearchThread } from './search-thread.ts';
import type { Span } from './shape.ts';
import { type Sought, type Step, type StreamParts, streamSteps } from './stream-steps.ts';
import { allWithheld } from './withheld.ts';

export interface RedactionStream {
  /** What can go out now; the rest is held until its line ends, at most some 100 KiB of it. */
  push(text: string): string;
  /** All that was held. Afterwards the stream begins anew. */
  flush(): string;
}

/** The same, with answers in the order of the calls, which need not wait for each other. */
export interface LongRedactionStream {
  push(text: string): Promise<string>;
  flush(): Promise<string>;
}

/** Longer texts are searched in another thread, */
export const SHORT = 65_536;
/** so much at a time. */
const PIECE = 262_144;

export function makeStream(parts: StreamParts): RedactionStream {
  const steps = streamSteps(parts);
  const done = (step: Step): string => {
    let { value, done } = step.next();
    while (!done && typeof value === 'object')
      ({ value, done } = step.next(parts.finder.spansIn(value.text, value.meter)));
    return typeof value === 'string' ? value : '';
  };
  return { push: text => done(steps.push(text)), flush: () => done(steps.flush()) };
}

export function makeLongStream(parts: StreamParts, thread: SearchThread): LongRedactionStream {
  const steps = streamSteps(parts);
  let last: Promise<unknown> = Promise.resolve();
  let searchedHere = 0;
  const search = async ({ text, meter }: Sought): Promise<readonly Span[]> => {
    if (text.length > SHORT) return (await thread.spansIn(text, meter)) ?? allWithheld(text);
    searchedHere += text.length;
    if (searchedHere > SHORT) {
      searchedHere = 0;
      await nextTurn();
    }
    return parts.finder.spansIn(text, meter);
  };
  const done = async (step: Step): Promise<string> => {
    let { value, done } = step.next();
    while (!done && typeof value === 'object') ({ value, done } = step.next(await search(value)));
    return typeof value === 'string' ? value : '';
  };
  const inTurn = (work: () => Promise<string>): Promise<string> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
  return {
    push: text =>
      inTurn(async () => {
        let shown = '';
        for (let at = 0; at < text.length; at += PIECE)
          shown += await done(steps.push(text.slice(at, at + PIECE)));
        return shown;
      }),
    flush: () => inTurn(() => done(steps.flush())),
  };
}
