// Keeps the beginning and the end of something too long, exact in bytes, and never cuts a character in two.

export interface Truncated {
  /** What is kept, with the note in the middle when something was left out. */
  readonly text: string;
  /** Bytes of UTF-8 that are not in `text`; 0 = whole. */
  readonly omittedBytes: number;
}

const HEAD_SHARE = 0.4;

/** How many of `limit` bytes go to the beginning and to the end. */
export function headAndTail(limit: number): { head: number; tail: number } {
  const head = Math.floor(limit * HEAD_SHARE);
  return { head, tail: limit - head };
}

/** At most `limit` bytes of the text itself: 40 % from its beginning, 60 % from its end, and a note between. */
export function truncateMiddle(text: string, limit: number): Truncated {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return { text, omittedBytes: 0 };
  const { head, tail } = headAndTail(limit);
  const headEnd = characterStart(bytes, head);
  const tailStart = nextCharacterStart(bytes, bytes.length - tail);
  const omittedBytes = tailStart - headEnd;
  const note = `\n… ${omittedBytes} bytes left out …\n`;
  return {
    text: bytes.toString('utf8', 0, headEnd) + note + bytes.toString('utf8', tailStart),
    omittedBytes,
  };
}

/** The largest index ≤ `index` at which a UTF-8 character begins. */
export function characterStart(bytes: Uint8Array, index: number): number {
  let at = Math.min(index, bytes.length);
  for (let steps = 0; steps < 3 && at > 0 && isContinuation(bytes[at]); steps++) at--;
  return isContinuation(bytes[at]) ? Math.min(index, bytes.length) : at;
}

/** How many bytes from the beginning are whole characters: an unfinished one at the end does not count. */
export function wholeCharacters(bytes: Uint8Array): number {
  const start = characterStart(bytes, Math.max(0, bytes.length - 1));
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}

/** The smallest index ≥ `index` at which a UTF-8 character begins. */
export function nextCharacterStart(bytes: Uint8Array, index: number): number {
  let at = Math.max(0, index);
  for (let steps = 0; steps < 3 && at < bytes.length && isContinuation(bytes[at]); steps++) at++;
  return isContinuation(bytes[at]) ? Math.max(0, index) : at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
