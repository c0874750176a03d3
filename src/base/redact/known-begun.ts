// Known values that begin at the end of a text and may go on in the next line. A stream holds them back.
import { afterBreak, canBreak } from './known-split.ts';

/** Fewer letters are the beginning of something in every other line. */
const SHORTEST_HEAD = 4;
const MOST_LETTERS = 1000;
/** In the narrowest column each letter has two more for its line break. */
const PER_LETTER = 3;
const MOST_INDENT = 60;

/** Tells where such a value begins; the text's length when none does. */
export function beginningAtEnd(forms: readonly string[]): (text: string) => number {
  const heads = new Map<string, string[]>();
  for (const form of forms.filter(canBreak)) {
    const head = form.slice(0, SHORTEST_HEAD);
    heads.set(head, [...(heads.get(head) ?? []), form]);
  }
  const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
  const window = PER_LETTER * Math.min(MOST_LETTERS, longest) + MOST_INDENT;
  return text => {
    if (heads.size === 0) return text.length;
    const { letters, places } = withoutBreaks(text, Math.max(0, text.length - window));
    for (let at = 0; at + SHORTEST_HEAD <= letters.length; at++) {
      const begun = heads.get(letters.slice(at, at + SHORTEST_HEAD));
      const rest = begun && letters.slice(at);
      if (rest && begun.some(form => form.length > rest.length && form.startsWith(rest)))
        return places[at] ?? text.length;
    }
    return text.length;
  };
}

/** The letters from there on without line breaks, and where each of them stands. */
function withoutBreaks(text: string, from: number): { letters: string; places: readonly number[] } {
  const places: number[] = [];
  let letters = '';
  for (let at = from; at < text.length; ) {
    const after = '\r\n=\\'.includes(text.charAt(at)) ? afterBreak(text, at) : undefined;
    if (after === undefined) {
      letters += text.charAt(at);
      places.push(at++);
    } else at = after;
  }
  return { letters, places };
}
