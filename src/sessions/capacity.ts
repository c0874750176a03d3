// How many sandboxes may be live at once, and who is next when there is room: first come, first served.

export interface Place {
  /** Gives it back; twice does nothing. */
  leave(): void;
}

export interface Waiter {
  readonly signal?: AbortSignal;
  /** How many stand before this one; told once, when it has to wait at all. */
  readonly onWait?: (before: number) => void;
}

export class Capacity {
  readonly #most: number;
  readonly #queue: { resolve(place: Place): void; reject(reason: unknown): void }[] = [];
  /** Asked whenever somebody waits: somebody idle may make room. */
  readonly #makeRoom: () => void;
  readonly #places = new Map<string, Place>();
  #taken = 0;

  constructor(most: number, makeRoom: () => void) {
    this.#most = most;
    this.#makeRoom = makeRoom;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get free(): number {
    return this.#most - this.#taken;
  }

  async enter({ signal, onWait }: Waiter = {}): Promise<Place> {
    signal?.throwIfAborted();
    if (this.#taken < this.#most && this.#queue.length === 0) return this.#place();
    onWait?.(this.#queue.length);
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#queue.push(waiting);
      const giveUp = (): void => {
        const at = this.#queue.indexOf(waiting);
        if (at === -1) return;
        this.#queue.splice(at, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#makeRoom();
    });
  }

  /** From now on the place is that sandbox's. */
  give(place: Place, id: string): void {
    this.#places.set(id, place);
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** Those that have a place. */
  sandboxes(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** For one that is live already, such as after a restart: there may be more of them than are allowed. */
  occupy(id: string): void {
    if (!this.#places.has(id)) this.#places.set(id, this.#place());
  }

  leave(id: string): void {
    this.#places.get(id)?.leave();
    this.#places.delete(id);
  }

  #place(): Place {
    this.#taken++;
    let left = false;
    return {
      leave: () => {
        if (left) return;
        left = true;
        this.#taken--;
        this.#serve();
      },
    };
  }

  #serve(): void {
    while (this.#taken < this.#most) {
      const next = this.#queue.shift();
      if (!next) return;
      next.resolve(this.#place());
    }
  }
}
