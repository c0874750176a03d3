// The steps in the life of a sandbox: each is written into the ledger before the engine is asked and after it has
// answered (P4), so that whoever comes after a crash finds out what was under way.
import type { SandboxRef } from '../backends/backend.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { checkSpec } from '../sandboxes/check-spec.ts';
import { SandboxHandle } from '../sandboxes/handle.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { inPhase, LIMITS_MS, type PhaseName } from './phase.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
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
  /** Those that this process has a connection to. */
  readonly #handles = new Map<string, SandboxHandle>();

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  handle(id: string): SandboxHandle | undefined {
    return this.#handles.get(id);
  }

  /** Throws what the driver throws; then nothing of it is left, or the ledger says what is. */
  async make({ policy, sessionId, signal }: Making): Promise<LedgerEntry> {
    const { store, installation, clock, config } = this.#world;
    const id = newId();
    const session = sessionId === undefined ? {} : { session: sessionId };
    const spec = specOf(policy, { id, installation, ...session, variable: name => config.variable(name) });
    const backend = await this.#world.backend(policy.backend.value);
    checkSpec(backend.name, backend.capabilities, spec);
    await store.ledger.enter({
      id,
      installation,
      ...(sessionId === undefined ? {} : { sessionId }),
      backend: backend.name,
      whenIdle: policy.persistent.value ? 'suspend' : 'destroy',
      policyHash: policyHash(policy),
      policy,
      deadline: clock.now() + LIMITS_MS.create,
    });
    try {
      const sandbox = await this.#phase('create', id, signal, given =>
        backend.create(spec, { signal: given }),
      );
      await this.#open(id, sandbox, policy);
      return await this.#moved(id, 'ready', { name: sandbox.ref.name });
    } catch (error) {
      await this.#fail(id, error);
      await this.remove(id);
      throw error;
    }
  }

  /** Makes one usable that has a row but no connection: after a restart, or suspended. Throws SANDBOX_GONE. */
  async wake(entry: LedgerEntry, policy: SandboxPolicy, signal?: AbortSignal): Promise<LedgerEntry> {
    const { store, clock, config } = this.#world;
    const { id } = entry;
    if (entry.state === 'suspended')
      await this.#moved(id, 'resuming', { deadline: clock.now() + LIMITS_MS.resume });
    try {
      const backend = await this.#world.backend(entry.backend);
      const env = valuesOf(policy, name => config.variable(name));
      const sandbox = await this.#phase('resume', id, signal, given =>
        backend.attach(this.refOf(entry), { signal: given, env }),
      );
      await this.#open(id, sandbox, policy);
      if (entry.state !== 'suspended') return entry;
      return await this.#moved(id, 'ready');
    } catch (error) {
      if (isHermesError(error, 'SANDBOX_GONE')) {
        await this.lose(id, error);
        throw error;
      }
      // The engine may only be away; what is suspended stays so.
      if (entry.state === 'suspended') await store.ledger.move(id, 'suspended');
      throw error;
    }
  }

  /** False when somebody uses it, or it cannot be suspended now; then it goes on as it was. */
  async suspend(entry: LedgerEntry): Promise<boolean> {
    const { store, clock, log } = this.#world;
    const { id } = entry;
    const begun = await store.ledger.move(id, 'suspending', { deadline: clock.now() + LIMITS_MS.suspend });
    if (!begun) return false;
    try {
      const handle = this.#handles.get(id);
      this.#handles.delete(id);
      await this.#phase('suspend', id, undefined, async signal => {
        if (handle) return handle.suspend();
        const backend = await this.#world.backend(entry.backend);
        await (await backend.attach(this.refOf(entry), { signal })).suspend?.({ signal });
      });
      await store.ledger.move(id, 'suspended');
      return true;
    } catch (error) {
      log.warn({ sandbox: id, error: messageOf(error) }, 'sandbox could not be suspended');
      if (isHermesError(error, 'SANDBOX_GONE')) await this.lose(id, error);
      else await store.ledger.move(id, 'ready', { problem: this.#world.redact(messageOf(error)) });
      return false;
    }
  }

  /** Whatever it is in, unless somebody holds it: false then. What cannot be removed now is tried again later. */
  async remove(id: string): Promise<boolean> {
    const { store, clock, log, redact } = this.#world;
    const entry = await store.ledger.find(id);
    if (!entry || entry.state === 'gone') return true;
    if (entry.state !== 'destroying') {
      const begun = await store.ledger.move(id, 'destroying', { deadline: clock.now() + LIMITS_MS.destroy });
      if (!begun) return false;
    }
    const handle = this.#handles.get(id);
    this.#handles.delete(id);
    try {
      await this.#phase('destroy', id, undefined, async signal => {
        await handle?.detach();
        await this.removeRef(this.refOf(entry), signal);
      });
      await store.processes.endAll(id);
      await store.ledger.move(id, 'gone');
      return true;
    } catch (error) {
      const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** entry.attempts);
      const problem = redact(messageOf(error));
      await store.ledger.postpone(id, { problem, retryAt: clock.now() + delay });
      log.warn(
        { sandbox: id, backend: entry.backend, error: problem },
        'sandbox could not be removed; kept for later',
      );
      return false;
    }
  }

  /** Of something that carries our label, whether the ledger knows it or not. */
  async removeRef(ref: SandboxRef, signal: AbortSignal): Promise<void> {
    const backend = await this.#world.backend(ref.backend);
    if (backend.destroy) return backend.destroy(ref, { signal });
    try {
      await (await backend.attach(ref, { signal })).destroy({ signal });
    } catch (error) {
      if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
    }
  }

  /** Ends the connection and nothing else; the next one who wants it connects anew. */
  async letGo(id: string): Promise<void> {
    const handle = this.#handles.get(id);
    this.#handles.delete(id);
    await handle?.detach();
  }

  /** It is not there any more, or cannot be spoken to: written down, and cleared away. */
  async lose(id: string, reason: unknown): Promise<void> {
    await this.letGo(id);
    await this.#fail(id, reason);
    await this.remove(id);
  }

  refOf({ id, backend, name, installation, sessionId }: LedgerEntry): SandboxRef {
    return {
      backend,
      id,
      // As every driver names them, for one whose making was cut off before the engine had answered.
      name: name ?? `hermes-${id}`,
      installation,
      ...(sessionId === null ? {} : { session: sessionId }),
    };
  }

  /** Lets go of one that another process has suspended or removed. */
  async forget(id: string): Promise<void> {
    const handle = this.#handles.get(id);
    this.#handles.delete(id);
    await handle?.detach();
  }

  /** Lets go of all without ending any. */
  async close(): Promise<void> {
    const handles = [...this.#handles.values()];
    this.#handles.clear();
    await Promise.allSettled(handles.map(handle => handle.detach()));
  }

  async #open(
    id: string,
    sandbox: Parameters<typeof SandboxHandle.open>[0]['sandbox'],
    policy: SandboxPolicy,
  ) {
    const timeoutMs = policy.timeoutSeconds.value * 1000;
    this.#handles.set(id, await SandboxHandle.open({ sandbox, clock: this.#world.clock, timeoutMs }));
  }

  async #fail(id: string, reason: unknown): Promise<void> {
    await this.#world.store.ledger.move(id, 'failed', { problem: this.#world.redact(messageOf(reason)) });
  }

  async #moved(id: string, ...[next, learnt]: Tail<Parameters<SandboxWorld['store']['ledger']['move']>>) {
    const entry = await this.#world.store.ledger.move(id, next, learnt);
    if (entry) return entry;
    throw new HermesError('SANDBOX_GONE', `The sandbox ${id} was removed by somebody else meanwhile.`, {
      details: { id },
    });
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

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
