// Finds many short texts in one pass over a long one: a table tells of every three characters whether anything begins
// so, and only then is compared. Letters count alike in both cases until then.

interface Entry<T> {
  readonly text: string;
  /** Several where many secrets begin alike. */
  readonly values: T[];
}

export interface Anchor<T> {
  /** At least three characters. */
  readonly text: string;
  /** Whether upper and lower case count alike. */
  readonly letters: 'exact' | 'any-case';
  readonly value: T;
}

/** Says where to go on; a place that has been passed already changes nothing. */
type Found<T> = (at: number, value: T, length: number) => number;

export interface AnchorTable<T> {
  /** Calls for everything that begins anywhere in the text, from left to right; the longest of one place first. */
  visit(text: string, found: Found<T>): void;
}

interface Bucket<T> {
  /** By their fourth to sixth characters. */
  readonly long: Map<number, Entry<T>[]>;
  /** Those that have fewer. */
  readonly short: Entry<T>[];
  readonly anyCase: Entry<T>[];
}

const SLOTS = 1 << 16;
const LONG = 6;
const SEVERAL = -1;

export function makeAnchorTable<T>(anchors: readonly Anchor<T>[]): AnchorTable<T> {
  const places = new Uint16Array(SLOTS);
  const buckets: Bucket<T>[] = [emptyBucket()];
  // What the first characters of a bucket's texts are; other characters lead to the same slot by chance.
  const heads: number[] = [0];
  for (const { text, letters, value } of anchors.toSorted((a, b) => b.text.length - a.text.length)) {
    const slot = slotAt(text);
    const place = places[slot] || buckets.push(emptyBucket()) - 1;
    places[slot] = place;
    const head = headOf(text);
    heads[place] = heads[place] === undefined || heads[place] === head ? head : SEVERAL;
    const bucket = buckets[place];
    if (bucket) add(listOf(bucket, text, letters), letters === 'exact' ? text : text.toLowerCase(), value);
  }
  return {
    visit(text, found) {
      const { length } = text;
      let first = text.charCodeAt(0) | 0x20;
      let second = text.charCodeAt(1) | 0x20;
      for (let at = 2; at < length; at++) {
        const third = text.charCodeAt(at) | 0x20;
        const place = places[(first ^ (second << 5) ^ (third << 9)) & (SLOTS - 1)] ?? 0;
        const head = first ^ (second << 8) ^ (third << 16);
        first = second;
        second = third;
        if (place === 0 || (heads[place] !== head && heads[place] !== SEVERAL)) continue;
        const next = compare(text, at - 2, buckets[place], found);
        if (next < at) continue;
        at = next + 1;
        first = text.charCodeAt(next) | 0x20;
        second = text.charCodeAt(next + 1) | 0x20;
      }
    },
  };
}

function emptyBucket<T>(): Bucket<T> {
  return { long: new Map(), short: [], anyCase: [] };
}

function listOf<T>(bucket: Bucket<T>, text: string, letters: Anchor<T>['letters']): Entry<T>[] {
  if (letters === 'any-case') return bucket.anyCase;
  if (text.length < LONG) return bucket.short;
  const key = keyAt(text, 0);
  const list = bucket.long.get(key) ?? [];
  bucket.long.set(key, list);
  return list;
}

function add<T>(list: Entry<T>[], text: string, value: T): void {
  const same = list.find(entry => entry.text === text);
  if (same) same.values.push(value);
  else list.push({ text, values: [value] });
}

function keyAt(text: string, at: number): number {
  return text.charCodeAt(at + 3) ^ (text.charCodeAt(at + 4) << 7) ^ (text.charCodeAt(at + 5) << 14);
}

/** Of its first three characters. */
function headOf(text: string): number {
  const [first, second, third] = [0, 1, 2].map(step => text.charCodeAt(step) | 0x20);
  return (first ?? 0) ^ ((second ?? 0) << 8) ^ ((third ?? 0) << 16);
}

function slotAt(text: string): number {
  const [first, second, third] = [0, 1, 2].map(step => text.charCodeAt(step) | 0x20);
  return ((first ?? 0) ^ ((second ?? 0) << 5) ^ ((third ?? 0) << 9)) & (SLOTS - 1);
}

function compare<T>(text: string, at: number, bucket: Bucket<T> | undefined, found: Found<T>): number {
  if (!bucket) return 0;
  const { long, short, anyCase } = bucket;
  let next = 0;
  const same = long.size === 0 ? undefined : long.get(keyAt(text, at));
  if (same) {
    for (const entry of same)
      if (text.startsWith(entry.text, at)) next = Math.max(next, tell(entry, at, found));
  }
  for (const entry of short)
    if (text.startsWith(entry.text, at)) next = Math.max(next, tell(entry, at, found));
  for (const entry of anyCase)
    if (startsAnyCase(text, entry.text, at)) next = Math.max(next, tell(entry, at, found));
  return next;
}

/** All that begin with the text, until one of them says where to go on. */
function tell<T>({ text, values }: Entry<T>, at: number, found: Found<T>): number {
  for (const value of values) {
    const next = found(at, value, text.length);
    if (next > at) return next;
  }
  return 0;
}

function startsAnyCase(text: string, lower: string, at: number): boolean {
  for (let step = 0; step < lower.length; step++) {
    const unit = text.charCodeAt(at + step);
    const isCapital = unit >= 65 && unit <= 90;
    if ((isCapital ? unit | 0x20 : unit) !== lower.charCodeAt(step)) return false;
  }
  return true;
}
