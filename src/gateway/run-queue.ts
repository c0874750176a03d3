// Which session's turn it is: one run a session, so many at once, and whoever has waited longest comes first.

export class RunQueue {
  readonly #most: number;
  /** The number of the oldest message that waits in each. */
  readonly #wanting = new Map<string, number>();
  readonly #running = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#wanting.size;
  }

  /** `since` is the number of its oldest message. */
  want(session: string, since: number): void {
    this.#wanting.set(session, Math.min(since, this.#wanting.get(session) ?? since));
  }

  /** It has nothing to run any more. */
  forget(session: string): void {
    this.#wanting.delete(session);
  }

  /** Takes the next one that may run now; `end` has to follow. */
  next(): string | undefined {
    if (this.#running.size >= this.#most) return undefined;
    let chosen: string | undefined;
    let oldest = Number.POSITIVE_INFINITY;
    for (const [session, since] of this.#wanting) {
      if (since >= oldest || this.#running.has(session)) continue;
      chosen = session;
      oldest = since;
    }
    if (chosen === undefined) return undefined;
    this.#wanting.delete(chosen);
    this.#running.add(chosen);
    return chosen;
  }

  end(session: string): void {
    this.#running.delete(session);
  }
}
