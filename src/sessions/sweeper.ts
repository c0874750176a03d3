// Brings ledger and engines together again, both ways (P4): what is there without a row, what has a row and is not there,
// what was under way when somebody died, what has been idle or kept for too long.
import type { SandboxRef } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { EXISTING_STATES } from '../store/sandbox-states.ts';
import { inPhase } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import type { SessionSandboxes } from './session-sandboxes.ts';
import type { SandboxWorld } from './world.ts';

export interface SweepReport {
  /** Without a row of ours, and removed. */
  readonly orphans: readonly string[];
  /** With a row, and not there any more. */
  readonly lost: readonly string[];
  readonly suspended: readonly string[];
  readonly destroyed: readonly string[];
  /** What could not be reached or removed, in words. */
  readonly problems: readonly string[];
}

type Draft = { -readonly [K in keyof SweepReport]: string[] };

/** In these a sandbox is there, and nothing is under way with it. */
const LASTING_STATES: readonly LedgerEntry['state'][] = ['ready', 'leased', 'suspended'];
const SWEEP_MS = 60_000;
/** How long the ledger remembers what is gone. */
const REMEMBER_GONE_MS = 30 * 86_400_000;

export class Sweeper {
  readonly #world: SandboxWorld;
  readonly #sandboxes: SessionSandboxes;
  #timer: { cancel(): void } | undefined;
  #sweeping: Promise<SweepReport> | undefined;
  #isFirst = true;

  constructor(world: SandboxWorld, sandboxes: SessionSandboxes) {
    this.#world = world;
    this.#sandboxes = sandboxes;
  }

  /** Sweeps now and then every minute. `backends`: those of the configuration; those of the ledger come on top. */
  async start(backends: readonly string[]): Promise<SweepReport> {
    const report = await this.sweep(backends);
    const again = (): void => {
      this.#timer = this.#world.clock.after(SWEEP_MS, () => {
        this.sweep(backends).then(again, error => {
          this.#world.log.error({ error: String(error) }, 'sweep failed');
          again();
        });
      });
    };
    again();
    return report;
  }

  /** Two that are asked for at once are one. */
  sweep(backends: readonly string[]): Promise<SweepReport> {
    this.#sweeping ??= this.#sweep(backends).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await Promise.allSettled([this.#sweeping]);
  }

  async #sweep(configured: readonly string[]): Promise<SweepReport> {
    const { store, clock, log, config } = this.#world;
    const report: Draft = { orphans: [], lost: [], suspended: [], destroyed: [], problems: [] };
    await this.#dropDeadLeases();
    const rows = await store.ledger.list({ states: EXISTING_STATES });
    const names = new Set([...configured, ...rows.map(({ backend }) => backend)]);
    for (const name of names) await this.#reconcile(name, report);
    this.#isFirst = false;
    await this.#sandboxes.letGoOfOthers();
    await this.#retire(report);
    await store.ledger.forgetGone(clock.now() - REMEMBER_GONE_MS);
    await store.audit.forget(clock.now() - config.get('gateway.audit_retention') * 1000);
    await this.#sandboxes.fillWarmPool();
    if (Object.values(report).some(({ length }) => length > 0)) log.info({ sweep: report }, 'swept');
    return report;
  }

  /** One gateway serves an installation, so leases of other lives are those of dead ones; a CLI's run out by themselves. */
  async #dropDeadLeases(): Promise<void> {
    const { store, holder } = this.#world;
    if (this.#isFirst) {
      const others = new Set((await store.leases.list()).map(lease => lease.holder));
      others.delete(holder);
      for (const dead of others) if (dead.startsWith('gateway-')) await store.leases.dropOf(dead);
    }
    await store.leases.dropExpired();
  }

  async #reconcile(name: string, report: Draft): Promise<void> {
    let refs: readonly SandboxRef[];
    const before = await this.#world.store.ledger.list({ states: LASTING_STATES });
    try {
      refs = await this.#list(name);
    } catch (error) {
      report.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    // Read after the engine was asked: a row exists before its sandbox does, so what has none by now is nobody's.
    const existing = await this.#world.store.ledger.list({ states: EXISTING_STATES });
    const rows = existing.filter(({ backend }) => backend === name);
    const known = new Set(rows.map(({ id }) => id));
    for (const ref of refs) if (!known.has(ref.id)) await this.#removeOrphan(ref, report);
    const there = new Set(refs.map(({ id }) => id));
    const settled = new Set(before.map(({ id }) => id));
    for (const row of rows) {
      // One that was made while the engine answered is not in its answer.
      const isTooNew = LASTING_STATES.includes(row.state) && !settled.has(row.id);
      await this.#mend(row, there.has(row.id) || isTooNew, report);
    }
  }

  #list(name: string): Promise<readonly SandboxRef[]> {
    const { clock, installation } = this.#world;
    return inPhase('list', { clock, on: `backend ${name}` }, async signal => {
      const backend = await this.#world.backend(name);
      const refs: SandboxRef[] = [];
      for await (const ref of backend.list(installation, { signal })) refs.push(ref);
      return refs;
    });
  }

  async #removeOrphan(ref: SandboxRef, report: Draft): Promise<void> {
    const { clock } = this.#world;
    try {
      await inPhase('destroy', { clock, on: ref.name }, signal =>
        this.#sandboxes.life.removeRef(ref, signal),
      );
      report.orphans.push(ref.name);
    } catch (error) {
      report.problems.push(`${ref.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #mend(row: LedgerEntry, isThere: boolean, report: Draft): Promise<void> {
    const { store, clock } = this.#world;
    const now = clock.now();
    switch (row.state) {
      case 'creating':
      case 'resuming':
      case 'suspending': {
        const isCutOff = this.#isFirst || (row.deadline ?? 0) < now;
        if (!isCutOff) return;
        // What was being made has never been used; what was being suspended or resumed has files in it.
        if (row.state !== 'creating' && isThere) await store.ledger.move(row.id, 'suspended');
        else await this.#destroy(row, report);
        return;
      }
      case 'failed':
      case 'destroying':
        if ((row.retryAt ?? 0) <= now || this.#isFirst) await this.#destroy(row, report);
        return;
      case 'ready':
      case 'leased':
      case 'suspended':
        if (isThere) {
          if (row.state !== 'suspended' && this.#isFirst) this.#sandboxes.occupy(row.id);
          return;
        }
        report.lost.push(row.name ?? row.id);
        if (row.sessionId !== null) this.#sandboxes.markLost(row.sessionId);
        await this.#sandboxes.life.lose(row.id, 'it was removed from outside');
        this.#sandboxes.forgetPlace(row.id);
        return;
      default:
        return;
    }
  }

  async #destroy(row: LedgerEntry, report: Draft): Promise<void> {
    if (await this.#sandboxes.destroy(row.id)) report.destroyed.push(row.name ?? row.id);
    else report.problems.push(`${row.name ?? row.id}: ${await this.#whyNot(row.id)}`);
  }

  async #whyNot(id: string): Promise<string> {
    const row = await this.#world.store.ledger.find(id);
    return row?.state === 'leased' ? 'in use' : (row?.problem ?? 'could not be removed');
  }

  async #retire(report: Draft): Promise<void> {
    const { store, clock } = this.#world;
    const now = clock.now();
    for (const row of await store.ledger.list({ states: ['ready', 'suspended'] })) {
      // Unused ones of the warm pool are the pool's.
      if (row.sessionId === null) continue;
      const { lifetimeSeconds, retentionSeconds } = row.policy as SandboxPolicy; // as SandboxLife wrote it
      if (row.state === 'suspended') {
        if (row.stateSince + retentionSeconds.value * 1000 <= now) await this.#destroy(row, report);
      } else if ((row.idleSince ?? now) + lifetimeSeconds.value * 1000 <= now) {
        if (await this.#sandboxes.isBusy(row)) continue;
        const isKept = row.whenIdle === 'suspend';
        if (await this.#sandboxes.retire(row))
          report[isKept ? 'suspended' : 'destroyed'].push(row.name ?? row.id);
      }
    }
  }
}
