// Text as it is read: without colours, movements and letters that nobody sees. A secret that these split is still there.
import type { Span } from './shape.ts';

/** Escapes of terminals, bounded; zero-width letters, marks of direction and soft hyphens, as text and as bytes. */
const UNSEEN =
  /\x1b(?:\[[0-9;:?<=>]{0,64}[ -/]{0,2}[@-~]|\][^\x07\x1b\r\n]{0,256}(?:\x07|\x1b\\)|[()][0-9A-Z]|[=>78cDEHMNOZ])|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\u034f|[\ufe00-\ufe0f]|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xef\xb8[\x80-\x8f]|\xc2\xad/g;
/** Cheap, and false for nearly every text. */
const MAY_HAVE_UNSEEN =
  /[\x1b\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\xe2\xef]|\u034f|[\ufe00-\ufe0f]/;

/** Finds what the text says when it is read, where it stands in the text as it is; nothing when there is nothing unseen. */
export function spansSeenThrough(text: string, find: (text: string) => readonly Span[]): readonly Span[] {
  if (!MAY_HAVE_UNSEEN.test(text)) return [];
  const removed = unseenIn(text);
  if (removed.length === 0) return [];
  let [seen, from] = ['', 0];
  for (const { start, end } of removed) {
    seen += text.slice(from, start);
    from = end;
  }
  const spans = find(seen + text.slice(from));
  return moved(spans, removed);
}

interface Unseen {
  readonly start: number;
  readonly end: number;
}

function unseenIn(text: string): readonly Unseen[] {
  return [...text.matchAll(UNSEEN)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** From places in what is read to places in the text; both are in order. */
function moved(spans: readonly Span[], removed: readonly Unseen[]): readonly Span[] {
  let [next, gone] = [0, 0];
  const place = (at: number, isEnd: boolean): number => {
    for (;;) {
      const one = removed[next];
      if (!one || (isEnd ? one.start - gone >= at : one.start - gone > at)) return at + gone;
      gone += one.end - one.start;
      next++;
    }
  };
  return spans.map(({ start, end, ...rest }) => {
    const from = place(start, false);
    return { ...rest, start: from, end: place(end, true) };
  });
}
