// Finds the end mark in a stream of arbitrary bytes. A mark is a nonce that nobody in the sandbox knew while the
// command ran, followed by words and a newline; everything before it is the command's own.

const NEWLINE = 0x0a;
/** No mark has more words than this; a longer one means the stream cannot be trusted any more. */
const LONGEST_WORDS = 64 * 1024;

export interface MarkListener {
  data(bytes: Uint8Array): void;
  /** The words after the nonce, without the newline. */
  mark(words: string): void;
}

/** Marks begin with this byte, so that ordinary output is passed on without being held back. */
export const MARK_START = '\x1e';

export class MarkScanner {
  readonly #nonce: Buffer;
  readonly #listener: MarkListener;
  #held: Buffer = Buffer.alloc(0);
  #inMark = false;

  constructor(nonce: string, listener: MarkListener) {
    this.#nonce = Buffer.from(nonce, 'latin1');
    this.#listener = listener;
  }

  /** `bad` when what follows a nonce cannot be a mark. */
  push(chunk: Uint8Array): 'bad' | undefined {
    let bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : asBuffer(chunk);
    this.#held = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (this.#inMark) {
        const end = bytes.indexOf(NEWLINE);
        if (end === -1) {
          if (bytes.length > LONGEST_WORDS) return 'bad';
          this.#held = bytes;
          return undefined;
        }
        this.#inMark = false;
        this.#listener.mark(bytes.toString('latin1', 0, end).trim());
        bytes = bytes.subarray(end + 1);
        continue;
      }
      const at = bytes.indexOf(this.#nonce);
      const end = at === -1 ? this.#possibleStart(bytes) : at;
      if (end > 0) this.#listener.data(bytes.subarray(0, end));
      if (at === -1) {
        this.#held = bytes.subarray(end);
        return undefined;
      }
      this.#inMark = true;
      bytes = bytes.subarray(at + this.#nonce.length);
    }
    return undefined;
  }

  /** Where a mark may have begun that the next chunk completes; the length if nowhere. */
  #possibleStart(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.#nonce.length + 1);
    for (
      let at = bytes.indexOf(this.#nonce[0] ?? 0, from);
      at !== -1;
      at = bytes.indexOf(this.#nonce[0] ?? 0, at + 1)
    ) {
      if (this.#nonce.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
    }
    return bytes.length;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
