// What sandboxes have cost that are billed by time: an estimate from the ledger and the list prices of their backends. Pure.
import type { BackendFacts } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { SandboxPolicy } from './policy.ts';

export interface Cost {
  readonly backend: string;
  /** How many sandboxes it is the cost of; those that never came to be are none. */
  readonly sandboxes: number;
  readonly cpuSeconds: number;
  readonly gibSeconds: number;
  readonly currency: string;
  /** Without credits, discounts, storage and what a chosen region adds. */
  readonly estimate: number;
  /** Of the prices. */
  readonly asOf: string;
}

type Row = Pick<LedgerEntry, 'backend' | 'policy' | 'liveMs' | 'liveSince'>;
type FactsByName = Readonly<Record<string, BackendFacts>>;

/** One for each backend that bills; none where nothing does. */
export function costsOf(entries: readonly Row[], facts: FactsByName, now: number): readonly Cost[] {
  const costs = new Map<string, Cost>();
  for (const entry of entries) {
    const cost = costOf(entry, facts, now);
    const before = costs.get(entry.backend);
    if (cost) costs.set(entry.backend, before ? added(before, cost) : cost);
  }
  return [...costs.values()];
}

function costOf(
  { backend, policy, liveMs, liveSince }: Row,
  facts: FactsByName,
  now: number,
): Cost | undefined {
  const { prices } = facts[backend] ?? {};
  if (!prices) return undefined;
  const { limits } = policy as Partial<SandboxPolicy>; // as SandboxLife wrote it, perhaps an older one
  if (liveMs === 0 && liveSince === null) return undefined;
  const seconds = (liveMs + Math.max(0, now - (liveSince ?? now))) / 1000;
  const cpuSeconds = seconds * (limits?.value.cpus ?? 1);
  const gibSeconds = (seconds * (limits?.value.memoryMiB ?? 0)) / 1024;
  const estimate = cpuSeconds * prices.cpuSecond + gibSeconds * prices.gibSecond;
  const { currency, asOf } = prices;
  return { backend, sandboxes: 1, cpuSeconds, gibSeconds, currency, estimate, asOf };
}

function added(one: Cost, other: Cost): Cost {
  return {
    ...one,
    sandboxes: one.sandboxes + other.sandboxes,
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    gibSeconds: one.gibSeconds + other.gibSeconds,
    estimate: one.estimate + other.estimate,
  };
}
