// The input of a process on its way: in pieces that the service takes, and not too many ahead of what the process has.

/** Of one piece: what fits into one message to the service, and is one program's work over there. */
const MOST_BYTES = 32 * 1024;
/** Further bytes wait until the other side has taken as many. */
const WINDOW_BYTES = 512 * 1024;

/** What is shorter and text goes by lines, which costs no program over there. */
const SHORT_BYTES = 4 * 1024;
const LINE_END = 10;

export class Input {
  readonly #send: (data: Uint8Array) => void;
  #underWay = 0;
  #isOver = false;
  #waiting: (() => void)[] = [];
  #turn: Promise<void> = Promise.resolve();

  constructor(send: (data: Uint8Array) => void) {
    this.#send = send;
  }

  /** Resolves when there is room for more, or when nobody takes any. */
  write(data: Uint8Array): Promise<void> {
    this.#turn = this.#turn.then(() => this.#pass(data));
    return this.#turn;
  }

  end(): void {
    this.#turn = this.#turn.then(() => {
      if (!this.#isOver) this.#send(Buffer.from('e\n'));
    });
  }

  taken(bytes: number): void {
    this.#underWay -= bytes;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Nobody takes any more. */
  close(): void {
    this.#isOver = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async #pass(data: Uint8Array): Promise<void> {
    if (data.length <= SHORT_BYTES && !data.includes(0)) {
      if (!this.#isOver) this.#send(asLines(data));
      return;
    }
    for (let at = 0; at < data.length && !this.#isOver; at += MOST_BYTES) {
      while (this.#underWay >= WINDOW_BYTES && !this.#isOver)
        await new Promise<void>(resolve => this.#waiting.push(resolve));
      const piece = data.subarray(at, at + MOST_BYTES);
      this.#underWay += piece.length;
      this.#send(Buffer.concat([Buffer.from(`i${piece.length}\n`), piece]));
    }
  }
}

/** Each line behind an `l`, and what has no end yet behind a `p`. */
function asLines(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf(LINE_END, at);
    const line = data.subarray(at, end < 0 ? data.length : end);
    parts.push(Buffer.from(end < 0 ? 'p' : 'l'), line, Buffer.from('\n'));
    at = end < 0 ? data.length : end + 1;
  }
  return Buffer.concat(parts);
}
