// What is written to a process: each call to the service carries all that has come meanwhile, so that a command costs one.

/** One call carries no more. */
const MOST_AT_ONCE = 1024 * 1024;
/** A writer waits while more than this is on its way. */
const MOST_WAITING = 1024 * 1024;

export class InputQueue {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #isClosed = false;
  #isSending = false;
  #room = Promise.withResolvers<void>();

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
    // A process that has ended takes nothing; its exit says so.
    void this.#writer.closed.catch(() => this.close());
  }

  /** Resolves when there is room for more, or nobody takes any. */
  write(data: Uint8Array): Promise<void> {
    if (this.#isClosed || this.#isEnded) return Promise.resolve();
    for (let at = 0; at < data.length; at += MOST_AT_ONCE) {
      this.#waiting.push(data.subarray(at, at + MOST_AT_ONCE));
    }
    this.#bytes += data.length;
    this.#start();
    return this.#bytes > MOST_WAITING ? this.#room.promise : Promise.resolve();
  }

  /** After what was written before. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#start();
  }

  /** Nobody takes any more. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.#room.resolve();
  }

  #start(): void {
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const piece = this.#take();
        await this.#writer.write(piece);
        this.#bytes -= piece.length;
        if (this.#bytes <= MOST_WAITING) {
          this.#room.resolve();
          this.#room = Promise.withResolvers();
        }
      }
      if (this.#isEnded && !this.#isClosed) {
        this.#isClosed = true;
        await this.#writer.close();
      }
    } catch {
      // It has ended, or the connection has; the output tells which.
      this.close();
    } finally {
      this.#isSending = false;
    }
  }

  #take(): Uint8Array {
    const taken: Uint8Array[] = [];
    let size = 0;
    for (let next = this.#waiting[0]; next && size + next.length <= MOST_AT_ONCE; next = this.#waiting[0]) {
      taken.push(next);
      size += next.length;
      this.#waiting.shift();
    }
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  }
}
