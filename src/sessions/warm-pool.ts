// Sandboxes that nobody has used yet, kept ready so that a new session need not wait for one. Each goes to one session
// and never to another.
import type { LedgerEntry } from '../store/ledger.ts';
import type { Capacity } from './capacity.ts';
import type { SandboxLife } from './life.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

export class WarmPool {
  readonly #world: SandboxWorld;
  readonly #life: SandboxLife;
  readonly #size: number;
  #filling: Promise<void> | undefined;

  constructor(world: SandboxWorld, life: SandboxLife, size: number) {
    this.#world = world;
    this.#life = life;
    this.#size = size;
  }

  /** One that fits the policy exactly; undefined when there is none. */
  async claim(sessionId: string, policy: SandboxPolicy): Promise<LedgerEntry | undefined> {
    if (this.#size === 0) return undefined;
    const wanted = policyHash(policy);
    for (const entry of await this.#ready()) {
      if (entry.policyHash !== wanted || !this.#life.handle(entry.id)) continue;
      const claimed = await this.#world.store.ledger.claim(entry.id, sessionId);
      if (claimed) return claimed;
    }
    return undefined;
  }

  /** Makes what is missing and clears away what no longer fits; never takes the last free place from a session. */
  fill(policy: SandboxPolicy, capacity: Capacity): Promise<void> {
    this.#filling ??= this.#fill(policy, capacity).finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #fill(policy: SandboxPolicy, capacity: Capacity): Promise<void> {
    const wanted = policyHash(policy);
    const ready = await this.#ready();
    const fitting = ready.filter(({ id, policyHash: hash }) => hash === wanted && this.#life.handle(id));
    for (const entry of ready.filter(each => !fitting.includes(each))) {
      if (await this.#life.remove(entry.id)) capacity.leave(entry.id);
    }
    for (
      let count = fitting.length;
      count < this.#size && capacity.free > 1 && capacity.waiting === 0;
      count++
    ) {
      const place = await capacity.enter();
      try {
        capacity.give(place, (await this.#life.make({ policy })).id);
      } catch (error) {
        place.leave();
        this.#world.log.warn({ error: String(error) }, 'no sandbox could be made for the warm pool');
        return;
      }
    }
  }

  async #ready(): Promise<readonly LedgerEntry[]> {
    const ready = await this.#world.store.ledger.list({ states: ['ready'] });
    return ready.filter(({ sessionId }) => sessionId === null);
  }
}
