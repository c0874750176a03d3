// One stream of output on its way to its listener: in order, no faster than it is taken, and acknowledged, because the other
// side sends no more than two rounds ahead.
import type { OutputListener } from '../backend.ts';

/** As shell/pump.sh expects it. */
const ROUND_BYTES = 32 * 1024;

export interface OutputOptions {
  readonly stream: 'stdout' | 'stderr';
  /** Tells the other side that so many more bytes have been taken. */
  readonly acknowledge: (bytes: number) => void;
  /** Called when all of it has been taken, or kept because nobody listens yet. */
  readonly onEnd: () => void;
}

export class Output {
  readonly #options: OutputOptions;
  readonly #waiting: Buffer[] = [];
  #listener: OutputListener | undefined;
  #isHeld = false;
  #unsaid = 0;
  #mark: Buffer | undefined;
  /** What may be the beginning of the mark. */
  #carry = Buffer.alloc(0);
  #hasEnded = false;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#hasEnded && (!this.#listener || (this.#waiting.length === 0 && !this.#isHeld));
  }

  listen(listener: OutputListener): void {
    this.#listener = listener;
    this.#deliver();
  }

  push(data: Buffer): void {
    if (this.#hasEnded) return;
    const own = this.#mark ? this.#untilMark(data, this.#mark) : data;
    if (own.length > 0) this.#waiting.push(own);
    this.#deliver();
  }

  /** From now on these bytes are the end of it; none of them is on its way yet. */
  endAt(mark: string): void {
    this.#mark = Buffer.from(mark);
  }

  #untilMark(data: Buffer, mark: Buffer): Buffer {
    const bytes = Buffer.concat([this.#carry, data]);
    const at = bytes.indexOf(mark);
    this.#hasEnded = at >= 0;
    const own = this.#hasEnded ? at : bytes.length - beginningOf(mark, bytes);
    this.#carry = bytes.subarray(own);
    return bytes.subarray(0, own);
  }

  #deliver(): void {
    while (this.#listener && !this.#isHeld) {
      const data = this.#waiting.shift();
      if (!data) break;
      const taken = this.#listener(this.#options.stream, data);
      if (taken instanceof Promise) {
        this.#isHeld = true;
        void taken.finally(() => {
          this.#isHeld = false;
          this.#take(data.length);
          this.#deliver();
        });
      } else this.#take(data.length);
    }
    if (this.isOver) this.#options.onEnd();
  }

  #take(bytes: number): void {
    this.#unsaid += bytes;
    if (this.#unsaid < ROUND_BYTES) return;
    this.#options.acknowledge(this.#unsaid);
    this.#unsaid = 0;
  }
}

/** How many bytes at the end of these are the first ones of the mark. */
function beginningOf(mark: Buffer, bytes: Buffer): number {
  for (let count = Math.min(mark.length - 1, bytes.length); count > 0; count--)
    if (bytes.subarray(-count).equals(mark.subarray(0, count))) return count;
  return 0;
}
