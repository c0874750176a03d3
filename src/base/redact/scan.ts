// One pass over one text, and what it has learned on its way. Shapes ask from left to right; what was read for one
// question is not read again for the next, so each character is visited a bounded number of times.
import type { Meter } from './meter.ts';
import { type Name, readName } from './secret-name.ts';
import type { Shape } from './shape.ts';
import { matchAt } from './sticky.ts';

/** A search looks so far ahead at once, */
const WINDOW = 4096;
/** and what begins in the last part of it may be cut off: it is found by the next search. */
const MARGIN = 1300;
/** How many names and judgements are remembered. */
const [MOST_NAMES, MOST_JUDGED] = [251, 1000];
const NAME_STEPS = 800;

const NO_BORDERS = new Uint32Array();

interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Near extends Stretch {
  readonly match?: RegExpExecArray;
}

export class Scan {
  readonly text: string;
  /** Where the last name ended that was looked at. */
  lastNameEnd = 0;
  readonly #meter: Meter;
  readonly #borders: Uint32Array;
  readonly #done = new Map<Shape, number>();
  readonly #runs = new Map<string, Stretch>();
  readonly #near = new Map<RegExp, Near>();
  readonly #names: Name[] = [];
  readonly #judged = new Map<string, boolean>();
  #lastBreak: number | undefined;

  /** `borders`: where something unseen stood in the text, in order. */
  constructor(text: string, meter: Meter, borders: Uint32Array = NO_BORDERS) {
    this.text = text;
    this.#meter = meter;
    this.#borders = borders;
  }

  /** Every look says what it costs, in steps of about a nanosecond. */
  spend(steps: number): void {
    this.#meter.spend(steps);
  }

  /** What lies within a token of the same shape is part of it; looking again would only cost. */
  isDone(shape: Shape, at: number): boolean {
    return at < (this.#done.get(shape) ?? 0);
  }

  setDone(shape: Shape, until: number): void {
    if (!this.isDone(shape, until)) this.#done.set(shape, until);
  }

  /** The end of what the sticky expression, of one class repeated, takes from `at` on. */
  runEnd(run: RegExp, at: number): number {
    const known = this.#runs.get(run.source);
    if (known && known.from <= at && at <= known.to) return known.to;
    const to = at + (matchAt(run, this.text, at)?.[0].length ?? 0);
    this.#runs.set(run.source, { from: at, to });
    return to;
  }

  /**
   * What the global expression finds first behind `at`, and where; undefined when it finds nothing within `reach`
   * characters, which are less than 2,000. A match must not be longer than 1,300 characters.
   */
  nextMatch(
    search: RegExp,
    at: number,
    reach: number,
  ): { readonly at: number; readonly match: RegExpExecArray } | undefined {
    let known = this.#near.get(search);
    if (!known || at < known.from || at > known.to || (!known.match && at + reach > known.to)) {
      known = this.#search(search, at);
      this.#near.set(search, known);
    }
    return known.match && known.to - at <= reach ? { at: known.to, match: known.match } : undefined;
  }

  #search(search: RegExp, at: number): Near {
    search.lastIndex = 0;
    const match = search.exec(this.text.slice(at, at + WINDOW));
    const isWhole = at + WINDOW >= this.text.length || (match?.index ?? 0) < WINDOW - MARGIN;
    this.spend(WINDOW);
    return match && isWhole
      ? { from: at, to: at + match.index, match }
      : { from: at, to: at + WINDOW - MARGIN };
  }

  /** What the name from `start` to `end` says; the same few names come again and again. */
  nameAt(start: number, end: number): Name {
    const { text } = this;
    const place = (text.charCodeAt(start) + 7 * text.charCodeAt(end - 1) + 13 * (end - start)) % MOST_NAMES;
    const known = this.#names[place];
    if (known && known.text.length === end - start && text.startsWith(known.text, start)) return known;
    this.spend(NAME_STEPS);
    const name = readName(text.slice(start, end));
    this.#names[place] = name;
    return name;
  }

  /** The same judgement about the same words is made once. */
  judged(words: string, judge: () => boolean): boolean {
    const known = this.#judged.get(words);
    if (known !== undefined) return known;
    if (this.#judged.size >= MOST_JUDGED) this.#judged.clear();
    const verdict = judge();
    this.#judged.set(words, verdict);
    return verdict;
  }

  /** Whether something unseen stood right before `at`. */
  isBorder(at: number): boolean {
    return this.#borders.length > 0 && this.#borders[this.#borderFrom(at)] === at;
  }

  /** The text from `at` to where something unseen stood next; empty when there is nothing such near. */
  upToBorder(at: number): string {
    const next = this.#borders.length > 0 ? (this.#borders[this.#borderFrom(at + 1)] ?? at) : at;
    return next - at > MARGIN ? '' : this.text.slice(at, next);
  }

  /** The index of the first border at `at` or later. */
  #borderFrom(at: number): number {
    let [low, high] = [0, this.#borders.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#borders[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a line ends at `at` or later. */
  hasBreakAfter(at: number): boolean {
    this.#lastBreak ??= this.text.lastIndexOf('\n');
    return this.#lastBreak >= at;
  }
}
