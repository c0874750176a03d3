// Redaction, the last step of everything that leaves Hermes (P7). It comes before any cutting: half a secret has no
// shape any more.
import { LONGEST_BODY } from './private-keys.ts';
import { makeSearch, type SearchOptions } from './search.ts';
import { SearchThread, type ThreadOptions } from './search-thread.ts';
import { RANK, REACH, type Span } from './shape.ts';
import { markOf } from './spans.ts';
import {
  type LongRedactionStream,
  makeLongStream,
  makeStream,
  type RedactionStream,
  SHORT,
} from './stream.ts';
import { WITHHELD } from './withheld.ts';

const MOST_AT_ONCE = 1_048_576;

export interface RedactorOptions extends SearchOptions, Pick<ThreadOptions, 'clock' | 'server'> {}

export interface Redactor {
  /**
   * The text with `[redacted:<kind>]` in the place of every secret. What has been redacted stays as it is. For texts
   * that are short: what is beyond 1 MiB is withheld, so that nobody else waits long meanwhile.
   */
  redact(text: string): string;
  /** The same for a text of any length: a long one is searched in another thread. Never rejects. */
  redactLong(text: string): Promise<string>;
  /** For output that comes in pieces, cut anywhere. */
  stream(): RedactionStream;
  /** The same for output of which much may come at once: what is long is searched in another thread. */
  longStream(): LongRedactionStream;
  /** The same for text that people watch being written: plain words do not wait for the end of their line. */
  prose(): RedactionStream;
  /** One more secret, from now on: what begins afterwards is searched for it too. */
  learn(secret: string): void;
}

export function createRedactor({ clock, server, ...options }: RedactorOptions): Redactor {
  const started = (given: SearchOptions) => {
    const { wordsBefore, ...search } = makeSearch(given);
    const threadOptions = { search: given, ...(clock ? { clock } : {}), ...(server ? { server } : {}) };
    return { given, search, wordsBefore, thread: new SearchThread(threadOptions) };
  };
  let now = started(options);
  const redact = (text: string): string => {
    const { search } = now;
    const spans = search.finder.spansIn(text.slice(0, MOST_AT_ONCE));
    return render(text, text.length <= MOST_AT_ONCE ? spans : withoutRest(text, spans, search.longest));
  };
  const longStream = (): LongRedactionStream => makeLongStream(now.search, now.thread);
  return {
    redact,
    async redactLong(text) {
      if (text.length <= SHORT) return redact(text);
      const stream = longStream();
      return (await stream.push(text)) + (await stream.flush());
    },
    stream: () => makeStream(now.search),
    longStream,
    prose: () => makeStream({ ...now.search, wordsBefore: now.wordsBefore }),
    learn(secret) {
      now = started({ ...now.given, secrets: [...now.given.secrets, secret] });
    },
  };
}

/** The spans, with one more over what was not searched, and what may have begun before it. */
function withoutRest(text: string, spans: readonly Span[], longest: number): readonly Span[] {
  const start = MOST_AT_ONCE - Math.max(REACH, LONGEST_BODY, longest);
  const before = spans.filter(span => span.start < start);
  const from = Math.max(start, before.at(-1)?.end ?? 0);
  return [...before, { start: from, end: text.length, kind: WITHHELD, rank: RANK.withheld }];
}

function render(text: string, spans: readonly { start: number; end: number; kind: string }[]): string {
  if (spans.length === 0) return text;
  let from = 0;
  let shown = '';
  for (const span of spans) {
    shown += text.slice(from, span.start) + markOf(span);
    from = span.end;
  }
  return shown + text.slice(from);
}
