// Collects a stream within a bound: all of it while it fits, else its beginning and its end, and always the count.
import { headAndTail, nextCharacterStart, wholeCharacters } from '../../base/truncate.ts';

/** Many small pieces cost more than their bytes; now and then they are put together. */
const MOST_PIECES = 4096;

export class OutputBuffer {
  readonly #headCap: number;
  readonly #tailCap: number;
  readonly #head: Uint8Array[] = [];
  readonly #tail: Uint8Array[] = [];
  #headSize = 0;
  #tailSize = 0;
  #total = 0;

  constructor(capBytes: number) {
    const { head, tail } = headAndTail(capBytes);
    this.#headCap = head;
    this.#tailCap = tail;
  }

  /** Bytes that went through, kept or not. */
  get total(): number {
    return this.#total;
  }

  get omitted(): number {
    return this.#total - this.#headSize - Math.min(this.#tailSize, this.#tailCap);
  }

  /** The bytes are copied where only a part is kept, so that a large piece is not held for a small one. */
  push(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const room = this.#headCap - this.#headSize;
    const headPart = bytes.subarray(0, room);
    if (headPart.length > 0) {
      this.#head.push(headPart.length < bytes.length ? headPart.slice() : headPart);
      this.#headSize += headPart.length;
      if (this.#head.length > MOST_PIECES) this.#head.splice(0, this.#head.length, Buffer.concat(this.#head));
    }
    const rest = bytes.subarray(headPart.length);
    if (rest.length === 0) return;
    const piece = rest.length > this.#tailCap ? rest.slice(-this.#tailCap) : rest;
    this.#tail.push(piece);
    this.#tailSize += piece.length;
    this.#trimTail();
    if (this.#tail.length > MOST_PIECES) this.#tail.splice(0, this.#tail.length, Buffer.concat(this.#tail));
  }

  #trimTail(): void {
    let first = this.#tail[0];
    while (first && this.#tailSize - first.length >= this.#tailCap) {
      this.#tail.shift();
      this.#tailSize -= first.length;
      first = this.#tail[0];
    }
  }

  /** Beginning and end, one after the other. */
  bytes(): Uint8Array {
    return Buffer.concat([...this.#head, this.#tailBytes()]);
  }

  /** The same as text, with a note where something is missing. Bytes that are no UTF-8 become U+FFFD. */
  text(): string {
    if (this.omitted === 0) return decode(this.bytes());
    const head = Buffer.concat(this.#head);
    const tail = this.#tailBytes();
    const kept = [
      head.subarray(0, wholeCharacters(head)),
      tail.subarray(nextCharacterStart(tail, 0)),
    ] as const;
    const omitted = this.#total - kept[0].length - kept[1].length;
    return `${decode(kept[0])}\n… ${omitted} bytes left out …\n${decode(kept[1])}`;
  }

  #tailBytes(): Uint8Array {
    const tail = Buffer.concat(this.#tail);
    return tail.length > this.#tailCap ? tail.subarray(tail.length - this.#tailCap) : tail;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
