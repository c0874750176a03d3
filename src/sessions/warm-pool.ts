// Sandboxes that nobody has used yet, kept ready so that a new session need not wait for one. Each goes to one session
// and never to another.
import type { LedgerEntry } from '../store/ledger.ts';
import type { Capacity } from './capacity.ts';
import { decide } from './decide.ts';
import type { SandboxLife } from './life.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

export class WarmPool {
  readonly #world: SandboxWorld;
  readonly #life: SandboxLife;
  readonly #size: number;
  readonly #capacity: Capacity;
  readonly #closing = new AbortController();
  #filling: Promise<void> | undefined;

  constructor(
    world: SandboxWorld,
    life: SandboxLife,
    { size, capacity }: { readonly size: number; readonly capacity: Capacity },
  ) {
    this.#world = world;
    this.#life = life;
    this.#size = size;
    this.#capacity = capacity;
  }

  /** One that fits the policy exactly; undefined when there is none. */
  async claim(sessionId: string, policy: SandboxPolicy): Promise<LedgerEntry | undefined> {
    if (this.#size === 0) return undefined;
    for (const entry of await this.#unused('ready')) {
      if (!this.#fits(entry, policy)) continue;
      const claimed = await this.#world.store.ledger.claim(entry.id, sessionId);
      if (claimed) return claimed;
    }
    return undefined;
  }

  /** Removes what is nobody's and what no session will be given: of other settings, of an earlier life, suspended. */
  async clear(): Promise<void> {
    const policy = await this.#policy();
    for (const entry of [...(await this.#unused('ready')), ...(await this.#unused('suspended'))]) {
      if (entry.state === 'ready' && policy && this.#fits(entry, policy)) continue;
      if (await this.#life.remove(entry.id, entry)) this.#capacity.leave(entry.id);
    }
  }

  /** Makes what is missing; never takes the last free place from a session. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** Without waiting for it: making one may take as long as the pull of an image. */
  fillLater(): void {
    this.fill().catch(error =>
      this.#world.log.warn({ error: String(error) }, 'the warm pool could not be filled'),
    );
  }

  /** Gives up what is being made. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#filling]);
  }

  /** The default one of messaging; undefined where none is decided. */
  async #policy(): Promise<SandboxPolicy | undefined> {
    const decision = await decide(this.#world, { kind: 'messaging' });
    return decision.kind === 'decided' ? decision.policy : undefined;
  }

  async #fill(): Promise<void> {
    const { signal } = this.#closing;
    const policy = await this.#policy();
    if (!policy) return;
    // Counted anew each time: some may have been claimed meanwhile.
    while ((await this.#count(policy)) < this.#size && this.#hasRoom()) {
      const place = await this.#capacity.enter();
      try {
        this.#capacity.give(place, (await this.#life.make({ policy, signal })).id);
      } catch (error) {
        place.leave();
        this.#world.log.warn({ error: String(error) }, 'no sandbox could be made for the warm pool');
        return;
      }
    }
  }

  async #count(policy: SandboxPolicy): Promise<number> {
    return (await this.#unused('ready')).filter(entry => this.#fits(entry, policy)).length;
  }

  #hasRoom(): boolean {
    return this.#capacity.free > 1 && this.#capacity.waiting === 0 && !this.#closing.signal.aborted;
  }

  #fits({ id, policyHash: hash }: LedgerEntry, policy: SandboxPolicy): boolean {
    return hash === policyHash(policy) && this.#life.handle(id) !== undefined;
  }

  async #unused(state: 'ready' | 'suspended'): Promise<readonly LedgerEntry[]> {
    const entries = await this.#world.store.ledger.list({ states: [state] });
    return entries.filter(({ sessionId }) => sessionId === null);
  }
}
