// One at a time for each key, in call order.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async in<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = Promise.allSettled([mine]);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
