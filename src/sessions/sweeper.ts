// Brings ledger and engines together again, both ways (P4): what is there without a row, what has a row and is not there,
// what was under way when somebody died, what has been idle or kept for too long.
import type { SandboxRef } from '../backends/backend.ts';
import type { Lease } from '../store/leases.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { EXISTING_STATES } from '../store/sandbox-states.ts';
import { dropOtherLeases } from './dead-leases.ts';
import { whyElsewhere } from './elsewhere.ts';
import { outstays, overAt } from './overdue.ts';
import { inPhase } from './phase.ts';
import { removeRef } from './sandbox-ref.ts';
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
  /** Ids of orphans that the last sweep has removed, and the problems that it had. */
  #removed: ReadonlySet<string> = new Set();
  #known: ReadonlySet<string> = new Set();

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
    const held = this.#isFirst ? await store.leases.list() : [];
    await dropOtherLeases(this.#world, this.#sandboxes.leases, this.#isFirst ? 'earlier lives' : 'expired');
    if (this.#isFirst) await this.#recoverProcesses(report, held);
    const rows = await store.ledger.list({ states: EXISTING_STATES });
    const names = new Set([...configured, ...rows.map(({ backend }) => backend)]);
    const removed = new Set<string>();
    for (const name of names) await this.#reconcile(name, report, removed);
    this.#removed = removed;
    this.#isFirst = false;
    await this.#sandboxes.letGoOfOthers();
    await this.#retire(report);
    await this.#sandboxes.warm.clear();
    this.#sandboxes.makeRoom();
    await store.ledger.forgetGone(clock.now() - REMEMBER_GONE_MS);
    await store.audit.forget(clock.now() - config.get('gateway.audit_retention') * 1000);
    this.#sandboxes.warm.fillLater();
    const news = { ...report, problems: report.problems.filter(each => !this.#known.has(kindOf(each))) };
    this.#known = new Set(report.problems.map(kindOf));
    if (Object.values(news).some(({ length }) => length > 0)) log.info({ sweep: news }, 'swept');
    return report;
  }

  /** In sandboxes where something runs in the background, or where a command may still run that nobody waits for. */
  async #recoverProcesses(report: Draft, held: readonly Lease[]): Promise<void> {
    const { store } = this.#world;
    const left = held.filter(({ holder }) => holder.startsWith('gateway-')).map(lease => lease.sandboxId);
    for (const id of new Set([...(await store.processes.busySandboxes()), ...left])) {
      const row = await store.ledger.find(id);
      if (row) await this.#onRow(row, report, () => this.#sandboxes.background.recover(row));
    }
  }

  /** What goes wrong with one must not keep the others from being swept. */
  async #onRow(row: LedgerEntry, report: Draft, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      report.problems.push(`${row.name ?? row.id}: ${messageOf(error)}`);
    }
  }

  async #reconcile(name: string, report: Draft, removed: Set<string>): Promise<void> {
    let refs: readonly SandboxRef[];
    const before = await this.#world.store.ledger.list({ states: LASTING_STATES });
    try {
      refs = await this.#list(name);
    } catch (error) {
      report.problems.push(`${name}: ${messageOf(error)}`);
      return;
    }
    // Read after the engine was asked: a row exists before its sandbox does, so what has none by now is nobody's.
    const existing = await this.#world.store.ledger.list({ states: EXISTING_STATES });
    const rows = existing.filter(({ backend }) => backend === name);
    const known = new Set(rows.map(({ id }) => id));
    for (const ref of refs) if (!known.has(ref.id)) await this.#removeOrphan(ref, report, removed);
    const there = new Set(refs.map(({ id }) => id));
    const settled = new Set(before.map(({ id }) => id));
    const elsewhere = whyElsewhere(
      refs,
      rows.filter(({ id }) => settled.has(id)),
    );
    if (elsewhere) report.problems.push(`${name}: ${elsewhere}`);
    for (const row of rows) {
      // One that was made while the engine answered is not in its answer.
      const isTooNew = LASTING_STATES.includes(row.state) && !settled.has(row.id);
      await this.#onRow(row, report, () =>
        this.#mend(row, there.has(row.id) || isTooNew || elsewhere !== undefined, report),
      );
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

  async #removeOrphan(ref: SandboxRef, report: Draft, removed: Set<string>): Promise<void> {
    const { clock } = this.#world;
    try {
      await inPhase('destroy', { clock, on: ref.name }, signal => removeRef(this.#world, ref, signal));
      removed.add(ref.id);
      if (this.#removed.has(ref.id))
        report.problems.push(`${ref.name}: still there after it was removed; remove it by hand`);
      else report.orphans.push(ref.name);
    } catch (error) {
      report.problems.push(`${ref.name}: ${messageOf(error)}`);
    }
  }

  async #mend(row: LedgerEntry, isThere: boolean, report: Draft): Promise<void> {
    const now = this.#world.clock.now();
    switch (row.state) {
      case 'creating':
      case 'resuming':
      case 'suspending': {
        // One gateway serves an installation, so steps of other lives are those of dead ones; a command's has its time.
        const isDead = this.#isFirst && !row.stepBy?.startsWith('cli-');
        if (!isDead && (row.deadline ?? 0) > now) return;
        // What was being made has never been used; what was being suspended or resumed has files in it.
        if (row.state === 'creating') await this.#destroy(row, report);
        else if (isThere) await this.#suspend(row, report);
        else await this.#lose(row, report);
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
        await this.#lose(row, report);
        return;
      default:
        return;
    }
  }

  async #lose(row: LedgerEntry, report: Draft): Promise<void> {
    report.lost.push(row.name ?? row.id);
    await this.#sandboxes.life.lose(row.id, 'it was removed from outside');
    this.#sandboxes.forgetPlace(row.id);
  }

  async #suspend(row: LedgerEntry, report: Draft): Promise<void> {
    if (await this.#sandboxes.life.suspend(row)) this.#sandboxes.forgetPlace(row.id);
    else report.problems.push(`${row.name ?? row.id}: ${await this.#whyNot(row.id)}`);
  }

  async #destroy(row: LedgerEntry, report: Draft): Promise<void> {
    if (await this.#sandboxes.destroy(row.id, row)) report.destroyed.push(row.name ?? row.id);
    else report.problems.push(`${row.name ?? row.id}: ${await this.#whyNot(row.id)}`);
  }

  async #whyNot(id: string): Promise<string> {
    const row = await this.#world.store.ledger.find(id);
    return row?.state === 'leased' ? 'in use' : (row?.problem ?? 'somebody else has begun something with it');
  }

  async #retire(report: Draft): Promise<void> {
    const rows = await this.#world.store.ledger.list({ states: ['ready', 'suspended'] });
    for (const row of rows.filter(({ sessionId }) => sessionId !== null)) {
      await this.#onRow(row, report, () => this.#retireRow(row, report));
    }
  }

  /** Nothing happens when somebody has used it since it was listed. */
  async #retireRow(row: LedgerEntry, report: Draft): Promise<void> {
    const now = this.#world.clock.now();
    if ((overAt(row) ?? Number.POSITIVE_INFINITY) > now) return;
    if (row.state === 'suspended') {
      if (await this.#sandboxes.destroy(row.id, row)) report.destroyed.push(row.name ?? row.id);
      return;
    }
    const seconds = this.#world.config.get('gateway.sandbox_background_lifetime');
    if (!outstays(row, { now, seconds }) && (await this.#sandboxes.background.isBusy(row))) return;
    const isKept = row.whenIdle === 'suspend';
    if (await this.#sandboxes.retire(row))
      report[isKept ? 'suspended' : 'destroyed'].push(row.name ?? row.id);
  }
}

/** The same problem may name another process or time each minute. */
function kindOf(problem: string): string {
  return problem.replace(/\d+/g, '0');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
