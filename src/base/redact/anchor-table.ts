// Finds many short texts in one pass over a long one: a table tells of every three characters whether anything begins
// so, and only then is compared. Letters count alike in both cases until then.

interface Entry<T> {
  readonly text: string;
  readonly value: T;
}

export interface Anchor<T> {
  /** At least three characters. */
  readonly text: string;
  /** Whether upper and lower case count alike. */
  readonly letters: 'exact' | 'any-case';
  readonly value: T;
}

export interface AnchorTable<T> {
  /** Calls for everything that begins anywhere in the text, from left to right; the longest of one place first. */
  visit(text: string, found: (at: number, value: T, length: number) => void): void;
}

const SLOTS = 1 << 16;

export function makeAnchorTable<T>(anchors: readonly Anchor<T>[]): AnchorTable<T> {
  const taken = new Uint8Array(SLOTS);
  const buckets = new Map<number, { exact: Entry<T>[]; anyCase: Entry<T>[] }>();
  for (const { text, letters, value } of anchors.toSorted((a, b) => b.text.length - a.text.length)) {
    const slot = slotAt(text, 0);
    taken[slot] = 1;
    const bucket = buckets.get(slot) ?? { exact: [], anyCase: [] };
    buckets.set(slot, bucket);
    if (letters === 'exact') bucket.exact.push({ text, value });
    else bucket.anyCase.push({ text: text.toLowerCase(), value });
  }
  return {
    visit(text, found) {
      const { length } = text;
      let first = text.charCodeAt(0) | 0x20;
      let second = text.charCodeAt(1) | 0x20;
      for (let at = 2; at < length; at++) {
        const third = text.charCodeAt(at) | 0x20;
        const slot = (first ^ (second << 5) ^ (third << 9)) & (SLOTS - 1);
        if (taken[slot] === 1) compare(text, at - 2, buckets.get(slot), found);
        first = second;
        second = third;
      }
    },
  };
}

function slotAt(text: string, at: number): number {
  const [first, second, third] = [0, 1, 2].map(step => text.charCodeAt(at + step) | 0x20);
  return ((first ?? 0) ^ ((second ?? 0) << 5) ^ ((third ?? 0) << 9)) & (SLOTS - 1);
}

function compare<T>(
  text: string,
  at: number,
  bucket: { exact: readonly Entry<T>[]; anyCase: readonly Entry<T>[] } | undefined,
  found: (at: number, value: T, length: number) => void,
): void {
  if (!bucket) return;
  for (const entry of bucket.exact) {
    if (text.startsWith(entry.text, at)) found(at, entry.value, entry.text.length);
  }
  for (const entry of bucket.anyCase) {
    if (startsAnyCase(text, entry.text, at)) found(at, entry.value, entry.text.length);
  }
}

function startsAnyCase(text: string, lower: string, at: number): boolean {
  for (let step = 0; step < lower.length; step++) {
    const [unit, wanted] = [text.charCodeAt(at + step), lower.charCodeAt(step)];
    const isCapital = unit >= 65 && unit <= 90;
    if ((isCapital ? unit | 0x20 : unit) !== wanted) return false;
  }
  return true;
}
