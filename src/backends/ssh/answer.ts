// Finds the answer of a remote script behind whatever startup files of the account have printed before it.

export interface Answer {
  /** The words that stand behind the nonce. */
  readonly words: string;
  /** What came after that line. */
  readonly rest: Uint8Array;
}

/** Keeps no more than it needs, however much is printed before. */
export class AnswerFinder {
  readonly #nonce: Buffer;
  #held = Buffer.alloc(0);
  #found = false;

  constructor(nonce: string) {
    this.#nonce = Buffer.from(nonce);
  }

  /** Once, when the whole line is there. */
  push(data: Uint8Array): Answer | undefined {
    this.#held = Buffer.concat([this.#held, data]);
    if (!this.#found) {
      const at = this.#held.indexOf(this.#nonce);
      const from = at >= 0 ? at + this.#nonce.length : Math.max(0, this.#held.length - this.#nonce.length);
      this.#held = this.#held.subarray(from);
      this.#found = at >= 0;
    }
    const end = this.#found ? this.#held.indexOf('\n') : -1;
    if (end < 0) return undefined;
    const words = this.#held.toString('utf8', 0, end).trim();
    return { words, rest: this.#held.subarray(end + 1) };
  }
}
