// What a sweep would remove, for an operator who does not want to wait for one, with or without a gateway. What a
// session could still use stays; what is another's is never looked at.
import type { SandboxRef } from '../backends/backend.ts';
import { HermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { EXISTING_STATES } from '../store/sandbox-states.ts';
import { dropDeadLeases } from './dead-leases.ts';
import { whyElsewhere } from './elsewhere.ts';
import { SandboxLife } from './life.ts';
import { inPhase } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import { removeRef } from './sandbox-ref.ts';
import type { SandboxWorld } from './world.ts';

/** `orphan`: there without a row. `lost`: has a row, and is not there. `unused`: nobody's, and nobody will take it. */
export type PruneReason = 'orphan' | 'half-made' | 'failed' | 'expired' | 'lost' | 'unused';

export interface Prunable {
  readonly id: string;
  readonly name: string;
  readonly backend: string;
  readonly reason: PruneReason;
}

export interface PruneReport {
  readonly found: readonly Prunable[];
  readonly removed: readonly string[];
  /** What could not be reached or removed, in words. */
  readonly problems: readonly string[];
}

export interface PruneView {
  /** What the engine listed. */
  readonly refs: readonly SandboxRef[];
  /** The rows of this backend that are not gone, read after the engine was asked. */
  readonly rows: readonly LedgerEntry[];
  /** Those that had a row in a lasting state before the engine was asked. */
  readonly settledBefore: ReadonlySet<string>;
  /** In these something still runs. */
  readonly busy: ReadonlySet<string>;
  readonly gateway: 'running' | 'none';
  readonly now: number;
}

/** Pure. Leased ones are never in it; with a gateway neither are those that it may have a connection to. */
export function planPrune({ refs, rows, ...view }: PruneView): readonly Prunable[] {
  const known = new Set(rows.map(({ id }) => id));
  const there = new Set(refs.map(({ id }) => id));
  const orphans = refs
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, backend }) => ({ id, name, backend, reason: 'orphan' as const }));
  const others = rows.flatMap(row => {
    const reason = reasonFor(row, there.has(row.id), view);
    const { id, name, backend } = row;
    return reason === undefined ? [] : [{ id, name: name ?? `hermes-${id}`, backend, reason }];
  });
  return [...orphans, ...others];
}

function reasonFor(
  row: LedgerEntry,
  isThere: boolean,
  { settledBefore, busy, gateway, now }: Omit<PruneView, 'refs' | 'rows'>,
): PruneReason | undefined {
  const isCutOff = (row.deadline ?? 0) < now;
  const isLost = !isThere && gateway === 'none' && settledBefore.has(row.id);
  const { lifetimeSeconds, retentionSeconds } = row.policy as SandboxPolicy; // as SandboxLife wrote it
  switch (row.state) {
    case 'creating':
      return isCutOff ? 'half-made' : undefined;
    case 'suspending':
    case 'resuming':
      return isCutOff && !isThere ? 'lost' : undefined;
    case 'failed':
      return 'failed';
    case 'destroying':
      return isCutOff || row.attempts > 0 ? 'failed' : undefined;
    case 'suspended':
      if (isLost) return 'lost';
      if (row.sessionId === null) return 'unused';
      return row.stateSince + retentionSeconds.value * 1000 <= now ? 'expired' : undefined;
    case 'ready': {
      if (isLost) return 'lost';
      // A gateway retires its own every minute, and knows what still runs in them.
      if (gateway === 'running' || busy.has(row.id)) return undefined;
      if (row.sessionId === null) return 'unused';
      const kept = row.whenIdle === 'suspend' ? retentionSeconds.value : 0;
      const end = (row.idleSince ?? now) + (lifetimeSeconds.value + kept) * 1000;
      return end <= now ? 'expired' : undefined;
    }
    default:
      return undefined;
  }
}

export interface PruneOptions {
  /** Those of the configuration; those of the ledger come on top. */
  readonly backends: readonly string[];
  readonly gateway: 'running' | 'none';
  readonly mode: 'remove' | 'look';
  readonly progress?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export async function prune(world: SandboxWorld, options: PruneOptions): Promise<PruneReport> {
  const { store } = world;
  const report = { found: [] as Prunable[], removed: [] as string[], problems: [] as string[] };
  const seen = new Map<string, LedgerEntry>();
  await dropDeadLeases(world, options.gateway);
  const rows = await store.ledger.list({ states: EXISTING_STATES });
  for (const name of new Set([...options.backends, ...rows.map(({ backend }) => backend)])) {
    try {
      const looked = await look(world, name, options);
      report.found.push(...looked.found);
      for (const row of looked.rows) seen.set(row.id, row);
    } catch (error) {
      report.problems.push(`${name}: ${messageOf(error)}`);
    }
  }
  if (options.mode === 'look') return report;
  const life = new SandboxLife(world);
  for (const each of report.found) {
    options.signal?.throwIfAborted();
    options.progress?.(`removing ${each.name} (${each.reason})`);
    const problem = await remove(world, life, each, seen.get(each.id));
    if (problem === undefined) report.removed.push(each.id);
    else report.problems.push(`${each.name}: ${problem}`);
  }
  return report;
}

async function look(
  { store, clock, installation, backend }: SandboxWorld,
  name: string,
  { gateway, signal }: PruneOptions,
): Promise<{ readonly found: readonly Prunable[]; readonly rows: readonly LedgerEntry[] }> {
  const settled = await store.ledger.list({ states: ['ready', 'leased', 'suspended'] });
  const refs = await inPhase(
    'list',
    { clock, on: `backend ${name}`, ...(signal ? { signal } : {}) },
    async given => {
      const found: SandboxRef[] = [];
      const driver = await backend(name);
      for await (const ref of driver.list(installation, { signal: given })) found.push(ref);
      return found;
    },
  );
  const existing = await store.ledger.list({ states: EXISTING_STATES });
  const rows = existing.filter(row => row.backend === name);
  const known = new Set(settled.map(({ id }) => id));
  const elsewhere = whyElsewhere(
    refs,
    rows.filter(({ id }) => known.has(id)),
  );
  if (elsewhere) throw new HermesError('UNAVAILABLE_BACKEND', elsewhere, { details: { backend: name } });
  const found = planPrune({
    refs,
    rows,
    settledBefore: known,
    busy: new Set(await store.processes.busySandboxes()),
    gateway,
    now: clock.now(),
  });
  return { found, rows };
}

/** The problem, or undefined when it is gone. */
async function remove(
  world: SandboxWorld,
  life: SandboxLife,
  { id, name, backend, reason }: Prunable,
  seen: LedgerEntry | undefined,
): Promise<string | undefined> {
  const { store, clock, installation } = world;
  if (reason !== 'orphan') {
    if (await life.remove(id, seen)) return undefined;
    const row = await store.ledger.find(id);
    return row && row.state !== 'destroying'
      ? 'somebody has begun to use it'
      : (row?.problem ?? 'could not be removed');
  }
  try {
    const ref = { backend, id, name, installation };
    await inPhase('destroy', { clock, on: name }, signal => removeRef(world, ref, signal));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
