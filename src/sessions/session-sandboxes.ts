// Each session's own sandbox: made when it is first needed, held while it is used, kept or thrown away when idle.
import { HermesError, isHermesError } from '../base/errors.ts';
import { Turns } from '../base/turns.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { Session } from '../store/sessions.ts';
import { Background } from './background.ts';
import { mustNotBeUsed } from './change.ts';
import { decidedPolicy } from './decide.ts';
import { leftBehind, remake } from './drift.ts';
import type { Held, Holder, LeaseRequest } from './held.ts';
import { SandboxLease } from './lease.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { SandboxLife } from './life.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
import { Room } from './room.ts';
import { settled } from './settled.ts';
import { say, signalOf, type Wanted, waiterOf } from './wanted.ts';
import { WarmPool } from './warm-pool.ts';
import type { SandboxWorld } from './world.ts';

const RECOVERED =
  'The connection to the sandbox was lost and is there again, with its files; what ran in it may have ended.';
const CUT_OFF =
  'A command was still running in the sandbox when its gateway was gone; it was ended, with all that it had started. Background jobs go on.';
const RESET = 'The sandbox was reset: the one before is gone with its files, and this one is new.';

export class SessionSandboxes implements Holder {
  readonly life: SandboxLife;
  readonly leases: LeaseKeeper;
  readonly background: Background;
  readonly warm: WarmPool;
  readonly #world: SandboxWorld;
  readonly #turns = new Turns();
  readonly #room: Room;
  /** Sessions that are about to take a lease; what they have just been given makes no room for others. */
  readonly #taking = new Set<string>();

  constructor(world: SandboxWorld, options: { readonly most: number; readonly warm: number }) {
    this.#world = world;
    this.life = new SandboxLife(world);
    this.leases = new LeaseKeeper(world);
    this.background = new Background(world, this.life, () => this.#room.make());
    this.#room = new Room(world, {
      most: options.most,
      isWanted: ({ sessionId }) => this.#taking.has(sessionId ?? ''),
      isBusy: entry => this.background.isBusy(entry),
      retire: entry => this.retire(entry),
    });
    this.warm = new WarmPool(world, this.life, { size: options.warm, capacity: this.#room.capacity });
  }

  /** Throws what stands in the way of a sandbox: nothing ever runs elsewhere instead (P2). */
  async lease(session: Session, request: LeaseRequest): Promise<SandboxLease> {
    const held = await this.hold(session, request);
    return new SandboxLease({ world: this.#world, sandboxes: this, session, request, held });
  }

  /** One sandbox for the session, usable and held. Several runs of a session share it. */
  hold({ id }: Pick<Session, 'id'>, request: LeaseRequest): Promise<Held> {
    const ticket = this.#room.capacity.ticket();
    return this.#turns.in(id, async () => {
      this.#taking.add(id);
      try {
        // As it is now: its network may have been switched since the run began.
        const session = await this.#world.store.sessions.find(id);
        if (!session) throw new HermesError('USAGE_UNKNOWN_ID', `There is no session ${id} any more.`);
        const policy = await decidedPolicy(this.#world, session);
        return await this.#take({ session, policy, request, ticket });
      } finally {
        this.#taking.delete(id);
      }
    });
  }

  async #take(given: Omit<Wanted, 'notices'>): Promise<Held> {
    const { session, request } = given;
    const notices: string[] = [];
    // Between the look at the ledger and the taking, somebody may have removed it: then it is made anew.
    for (let attempt = 0; attempt < 3; attempt++) {
      const entry = await this.#usable({ ...given, notices });
      const lease =
        entry &&
        (await this.leases.take({ sandboxId: entry.id, sessionId: session.id, purpose: request.purpose }));
      const handle = entry && this.life.handle(entry.id);
      if (lease && handle) {
        // Only now is there somebody to tell.
        if (notices.length > 0) await this.#world.store.sessions.takeLost(session.id);
        return { id: entry.id, handle, lease, notices };
      }
      if (lease) await this.leases.release(lease);
    }
    throw new HermesError(
      'SANDBOX_GONE',
      `The sandbox of the session ${session.id} is removed as often as it is made.`,
    );
  }

  async release(held: Held): Promise<void> {
    await this.leases.release(held.lease);
    this.#room.make();
  }

  /**
   * The connection to it was lost under a lease. Whether it is there all the same shows when it is next held; what its
   * user is told then depends on that. A connection that another run has made since is left alone.
   */
  async shake({ id }: Pick<Session, 'id'>, held: Held): Promise<void> {
    await this.#world.store.sessions.markLost(id);
    await this.life.letGo(held.id, held.handle);
    await this.release(held);
  }

  /** Suspends what is kept and destroys what is not; false when somebody uses it, or has since it was looked at. */
  async retire(entry: LedgerEntry): Promise<boolean> {
    const isKept = entry.whenIdle === 'suspend' && entry.sessionId !== null;
    const done = isKept ? await this.life.suspend(entry) : await this.life.remove(entry.id, entry);
    if (done) this.forgetPlace(entry.id);
    return done;
  }

  /** With `seen`, not when somebody has used or moved it since. */
  async destroy(id: string, seen?: LedgerEntry): Promise<boolean> {
    const done = await this.life.remove(id, seen);
    if (done) this.forgetPlace(id);
    return done;
  }

  /** Sandboxes found live at start take their places, so that the limit counts them. */
  occupy(id: string): void {
    this.#room.capacity.occupy(id);
  }

  forgetPlace(id: string): void {
    this.#room.capacity.leave(id);
  }

  /** For those who wait; after what may have ended unseen. */
  makeRoom(): void {
    this.#room.make();
  }

  /** Gives back the places of what another process, such as a command of the operator, has suspended or removed. */
  async letGoOfOthers(): Promise<void> {
    for (const id of this.#room.capacity.sandboxes()) {
      const letGo = async (): Promise<void> => {
        const state = (await this.#world.store.ledger.find(id))?.state ?? 'gone';
        if (state !== 'gone' && state !== 'suspended') return;
        await this.life.letGo(id);
        this.forgetPlace(id);
      };
      const entry = await this.#world.store.ledger.find(id);
      if (!entry?.sessionId) await letGo();
      else if (entry.state === 'gone' || entry.state === 'suspended')
        await this.#turns.in(entry.sessionId, letGo);
    }
  }

  /** Makes what is missing in the warm pool. */
  fillWarmPool(): Promise<void> {
    return this.warm.fill();
  }

  async close(): Promise<void> {
    await this.warm.close();
    await this.leases.close();
    await this.life.close();
  }

  /** Undefined when somebody else has just changed it: one looks again then. */
  async #usable(wanted: Wanted): Promise<LedgerEntry | undefined> {
    const { session, policy } = wanted;
    const found = await this.#world.store.ledger.findLive(session.id);
    if (found && mustNotBeUsed(found, policy)) {
      const { notice } = await remake(this.#parts(), found, { policy });
      if (notice) this.#tellRemade(wanted, notice);
      return undefined;
    }
    const current = found && (await this.#awake(found, wanted));
    if (current === 'moved') return undefined;
    if (current && this.life.takeCutOff(current.id) > 0) say(wanted, CUT_OFF);
    const wasLost = session.lostAt !== null;
    if (current) {
      if (wasLost) say(wanted, RECOVERED);
      if (!(await this.#isStale(current, policy))) return current;
      const { entry, notice } = await remake(this.#parts(), current, { policy, ...signalOf(wanted) });
      if (notice) this.#tellRemade(wanted, notice);
      return entry;
    }
    if (found || wasLost) say(wanted, RESET);
    const claimed = await this.warm.claim(session.id, policy);
    if (claimed) this.warm.fillLater();
    return claimed ?? this.#make(wanted);
  }

  /** The person and the model: it concerns the files of both. */
  #tellRemade(wanted: Wanted, notice: string): void {
    say(wanted, notice);
    wanted.request.onRemade?.(notice);
  }

  #parts() {
    return { world: this.#world, life: this.life, leases: this.leases, capacity: this.#room.capacity };
  }

  /** What runs in it goes on until it has ended; the settings wait for that. */
  async #isStale(entry: LedgerEntry, policy: SandboxPolicy): Promise<boolean> {
    if (entry.policyHash === policyHash(policy) || entry.state !== 'ready') return false;
    return !(await this.background.isBusy(entry));
  }

  /** Undefined when it turns out to be gone. */
  async #awake(found: LedgerEntry, wanted: Wanted): Promise<LedgerEntry | 'moved' | undefined> {
    const { policy, request } = wanted;
    const { signal } = request;
    const entry = await settled(this.#world, this.life, found, signal);
    if (entry.state === 'suspended') await this.life.letGo(entry.id);
    else if (this.life.handle(entry.id)) return entry;
    if (!['ready', 'leased', 'suspended'].includes(entry.state)) {
      await this.life.lose(entry.id, 'what was under way with it was cut off');
      return undefined;
    }
    const { capacity } = this.#room;
    if (!capacity.has(entry.id)) capacity.give(await capacity.enter(waiterOf(wanted)), entry.id);
    try {
      const awake = await this.life.wake(entry, policy, signal);
      await this.background.rewatch(entry.id);
      return awake;
    } catch (error) {
      this.forgetPlace(entry.id);
      if (isHermesError(error, 'SANDBOX_GONE')) return undefined;
      if (isHermesError(error, 'SANDBOX_IN_USE')) return 'moved';
      throw leftBehind(entry, policy, error);
    }
  }

  async #make(wanted: Wanted): Promise<LedgerEntry> {
    const { session, policy } = wanted;
    const place = await this.#room.capacity.enter(waiterOf(wanted));
    try {
      const entry = await this.life.make({ policy, sessionId: session.id, ...signalOf(wanted) });
      this.#room.capacity.give(place, entry.id);
      return entry;
    } catch (error) {
      place.leave();
      throw error;
    }
  }
}
