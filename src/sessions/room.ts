// Room for those who wait: the sandbox that has been idle for longest goes.
import type { LedgerEntry } from '../store/ledger.ts';
import { Capacity } from './capacity.ts';
import type { SandboxWorld } from './world.ts';

export interface RoomParts {
  readonly most: number;
  /** Those that somebody is about to use make no room for others. */
  readonly isWanted: (entry: LedgerEntry) => boolean;
  readonly isBusy: (entry: LedgerEntry) => Promise<boolean>;
  readonly retire: (entry: LedgerEntry) => Promise<boolean>;
}

export class Room {
  readonly capacity: Capacity;
  readonly #world: SandboxWorld;
  readonly #parts: RoomParts;
  #making: 'no' | 'yes' | 'again' = 'no';

  constructor(world: SandboxWorld, parts: RoomParts) {
    this.#world = world;
    this.#parts = parts;
    this.capacity = new Capacity(parts.most, () => this.make());
  }

  /** When somebody waits; returns at once and never throws. */
  make(): void {
    if (this.capacity.waiting === 0) return;
    if (this.#making !== 'no') this.#making = 'again';
    else void this.#make();
  }

  async #make(): Promise<void> {
    try {
      do {
        this.#making = 'yes';
        await this.#retireIdle();
      } while (this.#isAskedAgain());
    } catch (error) {
      this.#world.log.error({ error: String(error) }, 'no room could be made');
    } finally {
      this.#making = 'no';
    }
  }

  #isAskedAgain(): boolean {
    return this.#making === 'again' && this.capacity.waiting > 0;
  }

  /** Until nobody waits or nobody is idle. */
  async #retireIdle(): Promise<void> {
    const { store, log } = this.#world;
    const idle = (await store.ledger.list({ states: ['ready'] }))
      .filter(({ id }) => this.capacity.has(id))
      .toSorted((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
    for (const entry of idle) {
      if (this.capacity.waiting === 0) return;
      if (this.#parts.isWanted(entry)) continue;
      try {
        if (!(await this.#parts.isBusy(entry))) await this.#parts.retire(entry);
      } catch (error) {
        log.warn({ sandbox: entry.id, error: String(error) }, 'idle sandbox could not make room');
      }
    }
  }
}
