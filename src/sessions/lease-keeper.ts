// The leases that this process holds: renewed for as long as they are held, whatever happened to them meanwhile (P5).
import type { Lease, NewLease } from '../store/leases.ts';
import type { SandboxWorld } from './world.ts';

/** Without being renewed, a lease ends after this; it is renewed three times as often. */
export const LEASE_MS = 90_000;

export class LeaseKeeper {
  readonly #world: SandboxWorld;
  readonly #held = new Map<string, Lease>();
  #timer: { cancel(): void } | undefined;

  constructor(world: SandboxWorld) {
    this.#world = world;
    this.#renewLater();
  }

  /** Undefined when the sandbox cannot be held. */
  async take(lease: Pick<NewLease, 'sandboxId' | 'sessionId' | 'purpose'>): Promise<Lease | undefined> {
    const { store, holder, clock } = this.#world;
    const taken = await store.leases.take({ ...lease, holder, expiresAt: clock.now() + LEASE_MS });
    return taken && this.adopt(taken);
  }

  /** Keeps one that this process has taken elsewhere. */
  adopt(lease: Lease): Lease {
    this.#held.set(lease.id, lease);
    return lease;
  }

  holds({ id }: Pick<Lease, 'id'>): boolean {
    return this.#held.has(id);
  }

  async release({ id }: Lease): Promise<void> {
    this.#held.delete(id);
    await this.#world.store.leases.release(id);
  }

  /** Takes those again that somebody has dropped, such as after the machine was asleep. */
  async renew(): Promise<void> {
    const { store, clock } = this.#world;
    await store.leases.renew([...this.#held.values()], clock.now() + LEASE_MS);
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#held.clear();
    await this.#world.store.leases.dropOf(this.#world.holder);
  }

  #renewLater(): void {
    const { clock, log } = this.#world;
    this.#timer = clock.after(LEASE_MS / 3, () => {
      this.renew().catch(error => log.error({ error: String(error) }, 'leases were not renewed'));
      this.#renewLater();
    });
  }
}
