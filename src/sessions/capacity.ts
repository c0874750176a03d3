// How many sandboxes may be live at once, and who is next when there is room: first come, first served.

export interface Place {
  /** Gives it back; twice does nothing. */
  leave(): void;
}

export interface Waiter {
  /** When it came, as `ticket` told it; absent = now. */
  readonly ticket?: number;
  readonly signal?: AbortSignal;
  /** How many stand before this one; told once, when it has to wait at all. */
  readonly onWait?: (before: number) => void;
}

interface Waiting {
  readonly ticket: number;
  resolve(place: Place): void;
  reject(reason: unknown): void;
}

export class Capacity {
  readonly #most: number;
  readonly #queue: Waiting[] = [];
  /** Asked whenever somebody waits: somebody idle may make room. */
  readonly #makeRoom: () => void;
  readonly #places = new Map<string, Place>();
  #taken = 0;
  #tickets = 0;

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

  /** To be drawn by who comes, so that what it has to find out before it enters costs it no place in the queue. */
  ticket(): number {
    return this.#tickets++;
  }

  async enter({ signal, onWait, ticket = this.ticket() }: Waiter = {}): Promise<Place> {
    signal?.throwIfAborted();
    if (this.#taken < this.#most && this.#queue.length === 0) return this.#place();
    const later = this.#queue.findIndex(other => other.ticket > ticket);
    const before = later === -1 ? this.#queue.length : later;
    onWait?.(before);
    return new Promise((resolve, reject) => {
      const waiting = { ticket, resolve, reject };
      this.#queue.splice(before, 0, waiting);
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

  /** From one sandbox to the one that takes its place. */
  pass(from: string, to: string): void {
    const place = this.#places.get(from);
    this.#places.delete(from);
    if (place) this.#places.set(to, place);
    else this.occupy(to);
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
