// What we send into the chat of our account with itself, so that it is not taken for a message of its owner when it comes
// back from another device.

const MOST_KEPT = 500;

export class OwnMessages {
  readonly #timestamps = new Set<number>();
  /** Texts on their way: they may come back before anybody knows their timestamp. */
  readonly #sending: string[] = [];

  async sent(text: string, send: () => Promise<number>): Promise<number> {
    this.#sending.push(text);
    try {
      const timestamp = await send();
      this.#timestamps.add(timestamp);
      const [oldest] = this.#timestamps;
      if (this.#timestamps.size > MOST_KEPT && oldest !== undefined) this.#timestamps.delete(oldest);
      return timestamp;
    } finally {
      this.#sending.splice(this.#sending.indexOf(text), 1);
    }
  }

  has(timestamp: number, text: string): boolean {
    return this.#timestamps.has(timestamp) || this.#sending.includes(text);
  }
}
