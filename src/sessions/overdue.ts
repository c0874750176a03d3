// What is over by its age: an idle sandbox after its lifetime, a suspended one after its retention. A gateway looks every
// minute; where none runs, the next command does.
import type { LedgerEntry } from '../store/ledger.ts';
import { isGatewayRunning } from './gateway-lock.ts';
import { SandboxLife } from './life.ts';
import type { SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

/** When it is over, as it stands; undefined while it is used, and for what belongs to no session. Pure. */
export function overAt({
  state,
  stateSince,
  idleSince,
  sessionId,
  policy,
}: Pick<LedgerEntry, 'state' | 'stateSince' | 'idleSince' | 'sessionId' | 'policy'>): number | undefined {
  const { lifetimeSeconds, retentionSeconds } = policy as SandboxPolicy; // as SandboxLife wrote it
  if (sessionId === null) return undefined;
  if (state === 'suspended') return stateSince + retentionSeconds.value * 1000;
  if (state === 'ready' && idleSince !== null) return idleSince + lifetimeSeconds.value * 1000;
  return undefined;
}

/** Idle for so long that what runs in its background keeps it no longer. Pure. */
export function outstays(
  { idleSince }: Pick<LedgerEntry, 'idleSince'>,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): boolean {
  return idleSince !== null && idleSince + seconds * 1000 <= now;
}

/** A command has other things to do. */
const MOST = 5;
const LONGEST_MS = 10_000;

/** Ends some of what is over, unless a gateway runs; their names. What fails is in the ledger, and tried again later. */
export async function endOverdue(world: SandboxWorld, home: string): Promise<readonly string[]> {
  if (isGatewayRunning(home)) return [];
  const { store, clock, config } = world;
  const limits = { now: clock.now(), seconds: config.get('gateway.sandbox_background_lifetime') };
  const rows = await store.ledger.list({ states: ['ready', 'suspended'] });
  const over = rows.filter(row => (overAt(row) ?? Number.POSITIVE_INFINITY) <= clock.now());
  if (over.length === 0) return [];
  const busy = new Set(await store.processes.busySandboxes());
  const ended: string[] = [];
  const late = new AbortController();
  const timer = clock.after(LONGEST_MS, () => late.abort(new Error('it took too long for a command')));
  const life = new SandboxLife(world);
  try {
    const isKept = (row: LedgerEntry): boolean =>
      row.state !== 'suspended' && busy.has(row.id) && !outstays(row, limits);
    for (const row of over.filter(each => !isKept(each)).slice(0, MOST)) {
      if (late.signal.aborted) break;
      if (await end(life, row, late.signal)) ended.push(row.name ?? row.id);
    }
  } finally {
    timer.cancel();
    await life.close();
  }
  return ended;
}

/** Nothing happens when somebody has used it since it was listed. */
function end(life: SandboxLife, row: LedgerEntry, signal: AbortSignal): Promise<boolean> {
  const isKept = row.state === 'ready' && row.whenIdle === 'suspend';
  return isKept ? life.suspend(row, signal) : life.remove(row.id, row, signal);
}
