// Each session's own sandbox: made when it is first needed, held while it is used, kept or thrown away when idle.
import { sleep } from '../base/clock.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { Session } from '../store/sessions.ts';
import { Capacity } from './capacity.ts';
import type { Held, Holder, LeaseRequest } from './held.ts';
import { SandboxLease } from './lease.ts';
import { SandboxLife } from './life.ts';
import { policyHash, resolveSandboxPolicy, type SandboxPolicy } from './policy.ts';
import { Turns } from './turns.ts';
import { WarmPool } from './warm-pool.ts';
import { carryWorkspace } from './workspace.ts';
import type { SandboxWorld } from './world.ts';

/** Without being renewed, a lease ends after this; it is renewed three times as often. */
const LEASE_MS = 90_000;
/** How often it is looked whether what is under way is over. */
const SETTLING_MS = 50;
const RECOVERED =
  'The connection to the sandbox was lost and is there again, with its files; what ran in it may have ended.';
const RESET = 'The sandbox was reset: the one before is gone with its files, and this one is new.';

export class SessionSandboxes implements Holder {
  readonly life: SandboxLife;
  readonly #world: SandboxWorld;
  readonly #turns = new Turns();
  readonly #capacity: Capacity;
  readonly #warm: WarmPool;
  /** Sessions that are about to take a lease; what they have just been given makes no room for others. */
  readonly #taking = new Set<string>();
  /** Sessions whose sandbox was lost or may have been; what they get next says what became of it. */
  readonly #shaken = new Set<string>();
  #renewal: { cancel(): void } | undefined;
  #makingRoom: 'no' | 'yes' | 'again' = 'no';

  constructor(world: SandboxWorld, options: { readonly most: number; readonly warm: number }) {
    this.#world = world;
    this.life = new SandboxLife(world);
    this.#capacity = new Capacity(options.most, () => void this.#makeRoom());
    this.#warm = new WarmPool(world, this.life, options.warm);
    this.#renew();
  }

  /** Throws what stands in the way of a sandbox: nothing ever runs elsewhere instead (P2). */
  async lease(session: Session, request: LeaseRequest): Promise<SandboxLease> {
    const held = await this.hold(session, request);
    return new SandboxLease({ world: this.#world, sandboxes: this, session, request, held });
  }

  /** One sandbox for the session, usable and held. Several runs of a session share it. */
  async hold(session: Session, request: LeaseRequest): Promise<Held> {
    const policy = await this.#policy(session);
    return this.#turns.in(session.id, async () => {
      this.#taking.add(session.id);
      try {
        return await this.#take(session, policy, request);
      } finally {
        this.#taking.delete(session.id);
      }
    });
  }

  async #take(session: Session, policy: SandboxPolicy, request: LeaseRequest): Promise<Held> {
    const notices: string[] = [];
    // Between the look at the ledger and the taking, somebody may have removed it: then it is made anew.
    for (let attempt = 0; attempt < 3; attempt++) {
      const entry = await this.#usable(session, policy, request, notices);
      const lease = await this.#world.store.leases.take({
        sandboxId: entry.id,
        sessionId: session.id,
        holder: this.#world.holder,
        purpose: request.purpose,
        expiresAt: this.#world.clock.now() + LEASE_MS,
      });
      const handle = this.life.handle(entry.id);
      if (lease && handle) return { id: entry.id, handle, lease, notices };
      if (lease) await this.#world.store.leases.release(lease.id);
    }
    throw new HermesError(
      'SANDBOX_GONE',
      `The sandbox of the session ${session.id} is removed as often as it is made.`,
    );
  }

  async release(held: Held): Promise<void> {
    await this.#world.store.leases.release(held.lease.id);
    if (this.#capacity.waiting > 0) void this.#makeRoom();
  }

  /**
   * The connection to it was lost under a lease. Whether it is there all the same shows when it is next held; what its
   * user is told then depends on that.
   */
  async shake(session: Session, held: Held): Promise<void> {
    this.#shaken.add(session.id);
    await this.life.letGo(held.id);
    await this.release(held);
  }

  /** Suspends what is kept and destroys what is not; false when somebody uses it. */
  async retire(entry: LedgerEntry): Promise<boolean> {
    const isKept = entry.whenIdle === 'suspend';
    const done = isKept ? await this.life.suspend(entry) : await this.life.remove(entry.id);
    if (done) this.forgetPlace(entry.id);
    return done;
  }

  async destroy(id: string): Promise<boolean> {
    const done = await this.life.remove(id);
    if (done) this.forgetPlace(id);
    return done;
  }

  /** Sandboxes found live at start take their places, so that the limit counts them. */
  occupy(id: string): void {
    this.#capacity.occupy(id);
  }

  forgetPlace(id: string): void {
    this.#capacity.leave(id);
  }

  /** Gives back the places of what another process, such as a command of the operator, has suspended or removed. */
  async letGoOfOthers(): Promise<void> {
    for (const id of this.#capacity.sandboxes()) {
      const entry = await this.#world.store.ledger.find(id);
      const letGo = async (): Promise<void> => {
        const state = (await this.#world.store.ledger.find(id))?.state ?? 'gone';
        const isSuspended = state === 'suspended' && this.life.handle(id) !== undefined;
        if (state !== 'gone' && !isSuspended) return;
        await this.life.forget(id);
        this.forgetPlace(id);
      };
      if (!entry?.sessionId) await letGo();
      else if (entry.state === 'gone' || entry.state === 'suspended')
        await this.#turns.in(entry.sessionId, letGo);
    }
  }

  markLost(sessionId: string): void {
    this.#shaken.add(sessionId);
  }

  async fillWarmPool(): Promise<void> {
    const decision = await this.#decide({ kind: 'messaging' });
    if (decision.kind === 'decided') await this.#warm.fill(decision.policy, this.#capacity);
  }

  /** Whether something that nobody waits for still runs there; such a one is not retired. */
  async isBusy(entry: LedgerEntry): Promise<boolean> {
    const handle = this.life.handle(entry.id);
    if (!handle) return false;
    try {
      const states = await Promise.all((await handle.processes()).map(process => process.poll()));
      return states.some(({ state }) => state === 'running');
    } catch (error) {
      if (isHermesError(error, 'SANDBOX_GONE')) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#renewal?.cancel();
    await this.#world.store.leases.dropOf(this.#world.holder);
    await this.life.close();
  }

  async #usable(
    session: Session,
    policy: SandboxPolicy,
    request: LeaseRequest,
    notices: string[],
  ): Promise<LedgerEntry> {
    const found = await this.#world.store.ledger.findLive(session.id);
    const current = found && (await this.#awake(found, policy, request));
    const wasShaken = this.#shaken.delete(session.id);
    if (current) {
      if (wasShaken) notices.push(RECOVERED);
      const isStale = current.policyHash !== policyHash(policy) && current.state === 'ready';
      return isStale ? this.#remake(current, session, policy, request, notices) : current;
    }
    if (found || wasShaken) notices.push(RESET);
    return this.#warm
      .claim(session.id, policy)
      .then(claimed => claimed ?? this.#make(session, policy, request));
  }

  /** Undefined when it turns out to be gone. */
  async #awake(found: LedgerEntry, policy: SandboxPolicy, { signal, onWait }: LeaseRequest) {
    const entry = await this.#settled(found, signal);
    if (entry.state === 'suspended') await this.life.forget(entry.id);
    else if (this.life.handle(entry.id)) return entry;
    if (!['ready', 'leased', 'suspended'].includes(entry.state)) {
      await this.life.lose(entry.id, 'what was under way with it was cut off');
      return undefined;
    }
    if (!this.#capacity.has(entry.id)) {
      const waiter = { ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) };
      this.#capacity.give(await this.#capacity.enter(waiter), entry.id);
    }
    try {
      return await this.life.wake(entry, policy, signal);
    } catch (error) {
      this.forgetPlace(entry.id);
      if (isHermesError(error, 'SANDBOX_GONE')) return undefined;
      throw error;
    }
  }

  /** What the sweeper, or another process, has under way with it is waited for: there are files in it. */
  async #settled(found: LedgerEntry, signal: AbortSignal | undefined): Promise<LedgerEntry> {
    const { store, clock } = this.#world;
    let entry = found;
    while (entry.state === 'suspending' || entry.state === 'resuming') {
      const isCutOff = (entry.deadline ?? 0) < clock.now();
      if (isCutOff) await store.ledger.move(entry.id, 'suspended');
      else await sleep(clock, SETTLING_MS, signal);
      entry = (await store.ledger.find(entry.id)) ?? { ...entry, state: 'gone' };
    }
    return entry;
  }

  async #make(
    session: Session,
    policy: SandboxPolicy,
    { signal, onWait }: LeaseRequest,
  ): Promise<LedgerEntry> {
    const place = await this.#capacity.enter({
      ...(signal ? { signal } : {}),
      ...(onWait ? { onWait } : {}),
    });
    try {
      const entry = await this.life.make({ policy, sessionId: session.id, ...(signal ? { signal } : {}) });
      this.#capacity.give(place, entry.id);
      return entry;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** The settings have changed since it was made: a new one takes over its files. */
  async #remake(
    old: LedgerEntry,
    session: Session,
    policy: SandboxPolicy,
    request: LeaseRequest,
    notices: string[],
  ): Promise<LedgerEntry> {
    const handle = this.life.handle(old.id);
    const cargo = handle && (await carryWorkspace.out(handle));
    if (handle && !cargo) {
      notices.push(
        'The settings have changed, but its files are too many to be moved; the sandbox stays as it was.',
      );
      return old;
    }
    if (!(await this.destroy(old.id))) return old;
    const entry = await this.#make(session, policy, request);
    const fresh = this.life.handle(entry.id);
    if (cargo && fresh) await carryWorkspace.in(fresh, cargo);
    notices.push('The settings have changed: the sandbox was made anew, with the files of its workspace.');
    return entry;
  }

  /** The one that has been idle for longest goes, until nobody waits or nobody is idle. */
  async #makeRoom(): Promise<void> {
    if (this.#makingRoom !== 'no') {
      this.#makingRoom = 'again';
      return;
    }
    try {
      do {
        this.#makingRoom = 'yes';
        await this.#retireIdle();
      } while (this.#makingRoomAgain());
    } finally {
      this.#makingRoom = 'no';
    }
  }

  #makingRoomAgain(): boolean {
    return this.#makingRoom === 'again' && this.#capacity.waiting > 0;
  }

  async #retireIdle(): Promise<void> {
    const idle = (await this.#world.store.ledger.list({ states: ['ready'] }))
      .filter(({ id, sessionId }) => this.#capacity.has(id) && !this.#taking.has(sessionId ?? ''))
      .toSorted((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
    for (const entry of idle) {
      if (this.#capacity.waiting === 0) return;
      if (!(await this.isBusy(entry))) await this.retire(entry);
    }
  }

  async #policy(session: Session): Promise<SandboxPolicy> {
    const decision = await this.#decide(session);
    if (decision.kind === 'decided') return decision.policy;
    const [reason, fix] =
      decision.kind === 'refused'
        ? [decision.reason, decision.fix]
        : [
            'No backend has been chosen for this installation yet.',
            'Start the gateway, or set gateway.terminal_backend.',
          ];
    throw new HermesError('UNAVAILABLE_BACKEND', `${reason} ${fix}`);
  }

  async #decide(traits: Pick<Session, 'kind'> & { readonly network?: Session['network'] }) {
    const { store, config, facts } = this.#world;
    const { backend: recorded } = await store.installation.read();
    return resolveSandboxPolicy(config, traits, { backends: facts, recorded });
  }

  #renew(): void {
    const { clock, store, holder, log } = this.#world;
    this.#renewal = clock.after(LEASE_MS / 3, () => {
      store.leases
        .renew(holder, clock.now() + LEASE_MS)
        .catch(error => log.error({ error }, 'leases were not renewed'));
      this.#renew();
    });
  }
}
