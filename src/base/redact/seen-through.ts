// Text as it is read: without colours, movements and letters that nobody sees. A secret that these split is still there.
import type { Span } from './shape.ts';

/** Cheap, and false for nearly every text. */
const MAY_HAVE_UNSEEN =
  /[\x1b\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\xe2\xef]|\u034f|[\ufe00-\ufe0f]/;
const ESCAPE = 0x1b;
const LONGEST_PARAMETERS = 64;
const LONGEST_TITLE = 256;

/** What a text says when it is read. */
export interface SeenText {
  readonly seen: string;
  /** Where in it something unseen stood. */
  readonly borders: Uint32Array;
  /** From places in what is read to places in the text. The spans must be in order. */
  moved(spans: readonly Span[]): Span[];
}

/** Undefined when there is nothing unseen in the text. */
export function seenText(text: string): SeenText | undefined {
  if (!MAY_HAVE_UNSEEN.test(text)) return undefined;
  const units = new Uint16Array(text.length);
  const borders = new Uint32Array(text.length);
  // Where the stretch before each border begins and ends in the text, in turn.
  const removed = new Uint32Array(text.length + 1);
  let [length, count, end] = [0, 0, -1];
  for (let at = 0; at < text.length; ) {
    const unseen = unseenAt(text, at);
    if (unseen === 0) {
      units[length++] = text.charCodeAt(at++);
      continue;
    }
    if (at !== end) {
      borders[count] = length;
      removed[2 * count++] = at;
    }
    at += unseen;
    removed[2 * count - 1] = end = at;
  }
  if (count === 0) return undefined;
  return {
    seen: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'),
    borders: borders.subarray(0, count),
    moved: spans => moved(spans, removed.subarray(0, 2 * count)),
  };
}

/** How long what nobody sees is at this place: an escape of a terminal, or a letter without a width, also as bytes. */
function unseenAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0x20 && unit < 0xad) return 0;
  if (unit === ESCAPE) return escapeAt(text, at);
  if (unit < 0x100) return unit === 0xad ? 1 : bytesAt(text, at, unit);
  return isUnseen(unit) ? 1 : 0;
}

function isUnseen(unit: number): boolean {
  return (
    (unit >= 0x200b && unit <= 0x200f) ||
    (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2060 && unit <= 0x206f) ||
    (unit >= 0xfe00 && unit <= 0xfe0f) ||
    unit === 0xfeff ||
    unit === 0x061c ||
    unit === 0x180e ||
    unit === 0x034f
  );
}

/** The same letters where each character of the text is a byte. */
function bytesAt(text: string, at: number, unit: number): number {
  const second = text.charCodeAt(at + 1);
  if (unit === 0xc2) return second === 0xad ? 2 : 0;
  if (unit !== 0xe2 && unit !== 0xef) return 0;
  const third = text.charCodeAt(at + 2);
  const isWhole = third >= 0x80 && third <= 0xbf && second >= 0x80 && second <= 0xbf;
  const code = ((unit & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  return isWhole && isUnseen(code) ? 3 : 0;
}

function escapeAt(text: string, at: number): number {
  const kind = text.charAt(at + 1);
  if (kind === '[') return controlAt(text, at);
  if (kind === ']') return titleAt(text, at);
  if (kind === '(' || kind === ')') return /[0-9A-Z]/.test(text.charAt(at + 2)) ? 3 : 0;
  return kind !== '' && '=>78cDEHMNOZ'.includes(kind) ? 2 : 0;
}

/** `ESC [ 1 ; 31 m`, `ESC [ ? 25 h` */
function controlAt(text: string, at: number): number {
  let end = at + 2;
  const within = (from: number, to: number): boolean => {
    const unit = text.charCodeAt(end);
    return unit >= from && unit <= to;
  };
  while (end - at - 2 < LONGEST_PARAMETERS && within(0x30, 0x3f)) end++;
  for (let times = 0; times < 2 && within(0x20, 0x2f); times++) end++;
  return within(0x40, 0x7e) ? end + 1 - at : 0;
}

/** `ESC ] 0 ; title BEL` */
function titleAt(text: string, at: number): number {
  for (let end = at + 2; end - at - 2 <= LONGEST_TITLE; end++) {
    const unit = text.charCodeAt(end);
    if (unit === 0x07) return end + 1 - at;
    if (unit === ESCAPE) return text.charAt(end + 1) === '\\' ? end + 2 - at : 0;
    if (Number.isNaN(unit) || unit === 10 || unit === 13) return 0;
  }
  return 0;
}

function moved(spans: readonly Span[], removed: Uint32Array): Span[] {
  let [next, gone] = [0, 0];
  const place = (at: number, isEnd: boolean): number => {
    for (;;) {
      const [start = Number.POSITIVE_INFINITY, end = 0] = [removed[next], removed[next + 1]];
      if (isEnd ? start - gone >= at : start - gone > at) return at + gone;
      gone += end - start;
      next += 2;
    }
  };
  return spans.map(({ start, end, ...rest }) => {
    const from = place(start, false);
    return { ...rest, start: from, end: place(end, true) };
  });
}
