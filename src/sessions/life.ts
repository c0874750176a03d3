// The steps in the life of a sandbox: each is written into the ledger before the engine is asked and after it has
// answered (P4), so that whoever comes after a crash finds out what was under way.
import type { Sandbox } from '../backends/backend.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { checkSpec } from '../sandboxes/check-spec.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { Lease } from '../store/leases.ts';
import type { Learnt, LedgerEntry, Seen } from '../store/ledger.ts';
import type { NextState } from '../store/sandbox-states.ts';
import { Connections } from './connections.ts';
import { LEASE_MS } from './lease-keeper.ts';
import { openHandle } from './open-handle.ts';
import { inPhase, LIMITS_MS, type PhaseName } from './phase.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
import { refOf, removeRef } from './sandbox-ref.ts';
import { specOf, valuesOf } from './spec.ts';
import type { SandboxWorld } from './world.ts';

/** After a failed removal, twice as long each time. */
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 60 * 60_000;

export interface Making {
  readonly policy: SandboxPolicy;
  /** Absent = for the warm pool. */
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

export class SandboxLife {
  readonly #world: SandboxWorld;
  readonly #connections = new Connections();
  /** How many commands were found running without their gateway, by sandbox. */
  readonly #cutOff = new Map<string, number>();

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  handle(id: string): SandboxHandle | undefined {
    return this.#connections.get(id);
  }

  /** How many commands have ended with their gateway since it was last asked. */
  takeCutOff(id: string): number {
    const count = this.#cutOff.get(id) ?? 0;
    this.#cutOff.delete(id);
    return count;
  }

  find(id: string): Promise<LedgerEntry | undefined> {
    return this.#world.store.ledger.find(id);
  }

  /** Throws what the driver throws; then nothing of it is left, or the ledger says what is. */
  make(making: Making): Promise<LedgerEntry> {
    return this.#make(making, making.sessionId, (id, learnt) => this.#moved(id, 'ready', learnt));
  }

  /** As nobody's, and held from the first moment on, so that nobody takes it for an unused one. */
  makeHeld(making: Making, purpose: string): Promise<{ readonly id: string; readonly lease: Lease }> {
    const { store, holder, clock } = this.#world;
    return this.#make(making, undefined, (id, learnt) =>
      store.transaction(async ({ ledger, leases }) => {
        await ledger.move(id, 'ready', learnt);
        const expiresAt = clock.now() + LEASE_MS;
        const lease = await leases.take({ sandboxId: id, sessionId: null, holder, purpose, expiresAt });
        if (!lease) throw movedBySomebody(id);
        return { id, lease };
      }),
    );
  }

  async #make<T>(
    { policy, sessionId, signal }: Making,
    owner: string | undefined,
    finish: (id: string, learnt: Learnt) => Promise<T>,
  ): Promise<T> {
    const { store, installation, clock, config, holder } = this.#world;
    const id = newId();
    const session = sessionId === undefined ? {} : { session: sessionId };
    const spec = specOf(policy, { id, installation, ...session, variable: name => config.variable(name) });
    const backend = await this.#world.backend(policy.backend.value);
    checkSpec(backend.name, backend.capabilities, spec);
    await store.ledger.enter({
      id,
      installation,
      ...(owner === undefined ? {} : { sessionId: owner }),
      stepBy: holder,
      backend: backend.name,
      whenIdle: policy.persistent.value ? 'suspend' : 'destroy',
      policyHash: policyHash(policy),
      policy,
      deadline: clock.now() + LIMITS_MS.create,
    });
    try {
      const open = () =>
        openHandle(this.#world, 'create', { id, policy, signal }, given =>
          backend.create(spec, { signal: given }),
        );
      await this.#connections.open(id, open);
      return await finish(id, { name: `hermes-${id}`, ...learntOf(this.handle(id)) });
    } catch (error) {
      const problem = messageOf(error);
      await store.ledger.move(id, 'failed', { problem });
      await this.remove(id);
      throw error;
    }
  }

  /** Makes one usable that has a row but no connection: after a restart, or suspended. Throws SANDBOX_GONE. */
  async wake(entry: LedgerEntry, policy: SandboxPolicy, signal?: AbortSignal): Promise<LedgerEntry> {
    const { clock, holder } = this.#world;
    const { id } = entry;
    if (entry.state !== 'suspended') {
      await this.#attach(entry, policy, { signal: undefined, canceled: signal });
      return entry;
    }
    const step = { deadline: clock.now() + LIMITS_MS.resume, stepBy: holder };
    const resuming = await this.#moved(id, 'resuming', step, entry);
    try {
      await this.#attach(entry, policy, { signal, canceled: undefined });
    } catch (error) {
      // The engine may have woken it all the same; what the ledger calls suspended must be so.
      if (!isHermesError(error, 'SANDBOX_GONE')) await this.suspend(resuming);
      throw error;
    }
    try {
      return await this.#moved(id, 'ready', learntOf(this.handle(id)), resuming);
    } catch (error) {
      await this.letGo(id);
      throw error;
    }
  }

  /**
   * False when somebody uses it or has moved it, or it cannot be suspended now: it goes on as it was then. One whose
   * suspension or waking was cut off is suspended anew.
   */
  async suspend(entry: LedgerEntry, canceled?: AbortSignal): Promise<boolean> {
    const { store, clock, log, holder } = this.#world;
    const { id } = entry;
    const step = { deadline: clock.now() + LIMITS_MS.suspend, stepBy: holder };
    const begun = await store.ledger.move(id, 'suspending', step, entry);
    if (!begun) return false;
    const handle = this.#connections.take(id);
    try {
      const suspended = await this.#phase('suspend', id, canceled, async signal => {
        if (handle) {
          await handle.suspend();
          return handle;
        }
        const backend = await this.#world.backend(entry.backend);
        const sandbox = await backend.attach(refOf(entry), { signal });
        await sandbox.suspend?.({ signal });
        return sandbox;
      });
      await store.processes.endAll(id);
      await store.ledger.move(id, 'suspended', nameOf(suspended), begun);
      return true;
    } catch (error) {
      await Promise.allSettled([handle?.detach()]);
      const problem = messageOf(error);
      log.warn({ sandbox: id, error: problem }, 'sandbox could not be suspended');
      if (isHermesError(error, 'SANDBOX_GONE')) await this.lose(id, error);
      else if (entry.state === 'ready') await store.ledger.move(id, 'ready', { problem }, begun);
      // Whoever looks next tries again.
      else await store.ledger.move(id, 'suspending', { problem, deadline: clock.now() }, begun);
      return false;
    }
  }

  /**
   * Whatever it is in, unless somebody holds it, or has used or moved it since it was `seen`: false then. What cannot be
   * removed now is tried again later.
   */
  async remove(id: string, seen?: Seen, canceled?: AbortSignal): Promise<boolean> {
    const { store, clock, log, holder } = this.#world;
    const entry = await store.ledger.find(id);
    if (!entry || entry.state === 'gone') return true;
    if (entry.state !== 'destroying') {
      const step = { deadline: clock.now() + LIMITS_MS.destroy, stepBy: holder };
      if (!(await store.ledger.move(id, 'destroying', step, seen))) return false;
    }
    const handle = this.#connections.take(id);
    try {
      await this.#phase('destroy', id, canceled, async signal => {
        await handle?.detach();
        await removeRef(this.#world, refOf(entry), signal);
      });
      await store.processes.endAll(id);
      await store.ledger.move(id, 'gone');
      return true;
    } catch (error) {
      const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** entry.attempts);
      const problem = messageOf(error);
      await store.ledger.postpone(id, { problem, retryAt: clock.now() + delay });
      log.warn(
        { sandbox: id, backend: entry.backend, error: problem },
        'sandbox could not be removed; kept for later',
      );
      return false;
    }
  }

  /** Ends the connection and nothing else; the next one who wants it connects anew. With `only`, no newer one. */
  letGo(id: string, only?: SandboxHandle): Promise<void> {
    return this.#connections.letGo(id, only);
  }

  /** It is not there any more, or cannot be spoken to: written down, cleared away, and to be told to its session. */
  async lose(id: string, reason: unknown): Promise<void> {
    const { store } = this.#world;
    await this.letGo(id);
    const lost = await store.ledger.move(id, 'failed', { problem: messageOf(reason) });
    if (lost?.sessionId) await store.sessions.markLost(lost.sessionId);
    await this.remove(id);
  }

  /** Lets go of all without ending any. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async #attach(
    entry: LedgerEntry,
    policy: SandboxPolicy,
    { signal, canceled }: { signal: AbortSignal | undefined; canceled: AbortSignal | undefined },
  ): Promise<void> {
    const { id } = entry;
    const backend = await this.#world.backend(entry.backend);
    const env = valuesOf(policy, name => this.#world.config.variable(name));
    const open = () =>
      openHandle(this.#world, 'resume', { id, policy, signal }, given =>
        backend.attach(refOf(entry), { signal: given, env }),
      );
    try {
      await this.#connections.open(id, open, canceled);
      const count = this.handle(id)?.takeCutOff() ?? 0;
      if (count === 0) return;
      this.#cutOff.set(id, count);
      if (entry.sessionId !== null) await this.#world.store.sessions.addCutOff(entry.sessionId, count);
    } catch (error) {
      if (isHermesError(error, 'SANDBOX_GONE')) await this.lose(id, error);
      throw error;
    }
  }

  async #moved(id: string, next: NextState, learnt: Learnt, seen?: Seen): Promise<LedgerEntry> {
    const entry = await this.#world.store.ledger.move(id, next, learnt, seen);
    if (entry) return entry;
    throw movedBySomebody(id);
  }

  #phase<T>(
    phase: PhaseName,
    id: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#world;
    return inPhase(phase, { clock, on: `sandbox ${id}`, ...(signal ? { signal } : {}) }, work);
  }
}

/** Nothing is wrong with the sandbox: another process or the sweeper has begun something else with it. */
function movedBySomebody(id: string): HermesError {
  const message = `The sandbox ${id} was changed by somebody else meanwhile. Try again.`;
  return new HermesError('SANDBOX_IN_USE', message, { details: { id } });
}

/** Of one that is live: its limits are as its driver has inspected them. */
function learntOf(sandbox: Pick<Sandbox, 'ref' | 'enforcement'> | undefined): Learnt {
  return sandbox ? { ...nameOf(sandbox), enforcement: sandbox.enforcement } : {};
}

/** What an engine calls it may change with what it is in. */
function nameOf(sandbox: Pick<Sandbox, 'ref'> | undefined): Learnt {
  return sandbox ? { name: sandbox.ref.name } : {};
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
