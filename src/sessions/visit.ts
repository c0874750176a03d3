// Access to a sandbox from a process beside the gateway, such as a command of the operator: under a lease, over a
// connection of its own, and without ending what the gateway has there.
import type { BackendFacts } from '../backends/backend.ts';
import { HermesError } from '../base/errors.ts';
import { SandboxHandle } from '../sandboxes/handle.ts';
import type { Lease } from '../store/leases.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { SandboxLife } from './life.ts';
import type { SandboxPolicy } from './policy.ts';
import { refOf } from './sandbox-ref.ts';
import type { SandboxWorld } from './world.ts';

/** Longer than any one copy or listing may take. */
const VISIT_MS = 10 * 60_000;

export interface VisitOptions {
  /** What for, such as `cli: get`. */
  readonly purpose: string;
  /** A suspended one is woken, and suspended again afterwards. */
  readonly ifSuspended: 'wake' | 'refuse';
  readonly gateway: 'running' | 'none';
  readonly signal?: AbortSignal;
}

/** Throws SANDBOX_GONE, SANDBOX_SUSPENDED or SANDBOX_IN_USE, with what to do. */
export async function visitSandbox<T>(
  world: SandboxWorld,
  entry: LedgerEntry,
  options: VisitOptions,
  work: (handle: SandboxHandle) => Promise<T>,
): Promise<T> {
  const { store } = world;
  const refusal = whyNotVisited({
    entry,
    leases: await store.leases.list(entry.id),
    facts: world.facts[entry.backend],
    ...options,
  });
  if (refusal) throw refusal;
  const life = new SandboxLife(world);
  const isWoken = entry.state === 'suspended';
  const policy = entry.policy as SandboxPolicy; // as SandboxLife wrote it
  if (isWoken) await life.wake(entry, policy, options.signal);
  try {
    const lease = await store.leases.take({
      sandboxId: entry.id,
      sessionId: entry.sessionId,
      holder: world.holder,
      purpose: options.purpose,
      expiresAt: world.clock.now() + VISIT_MS,
    });
    if (!lease) throw inUse(entry, 'its state has just been changed. Try again');
    try {
      return await useHandle(world, { life, entry, signal: options.signal }, work);
    } finally {
      await store.leases.release(lease.id);
    }
  } finally {
    // Unless somebody else has it by now.
    const now = isWoken ? await store.ledger.find(entry.id) : undefined;
    if (now?.state === 'ready') await life.suspend(now);
    await life.close();
  }
}

interface Use {
  readonly life: SandboxLife;
  readonly entry: LedgerEntry;
  readonly signal: AbortSignal | undefined;
}

async function useHandle<T>(
  { backend, clock }: SandboxWorld,
  { life, entry, signal }: Use,
  work: (handle: SandboxHandle) => Promise<T>,
): Promise<T> {
  const woken = life.handle(entry.id);
  if (woken) return work(woken);
  const driver = await backend(entry.backend);
  const sandbox = await driver.attach(refOf(entry), signal ? { signal } : {});
  const handle = await SandboxHandle.open({ sandbox, clock });
  try {
    return await work(handle);
  } finally {
    await handle.detach();
  }
}

export interface Visited extends Pick<VisitOptions, 'ifSuspended' | 'gateway'> {
  readonly entry: LedgerEntry;
  readonly leases: readonly Lease[];
  readonly facts: BackendFacts | undefined;
}

/** Pure. */
export function whyNotVisited(visited: Visited): HermesError | undefined {
  const { entry, leases, facts, ifSuspended, gateway } = visited;
  const { id, state } = entry;
  if (state === 'gone') {
    return new HermesError('SANDBOX_GONE', `The sandbox ${id} does not exist any more.`, { details: { id } });
  }
  if (state !== 'ready' && state !== 'leased' && state !== 'suspended') {
    return inUse(
      entry,
      `it is ${state}. Try again when that is over; \`hermes sandbox inspect ${id}\` shows it`,
    );
  }
  if (entry.sessionId === null) {
    return inUse(
      entry,
      'it is no session’s: it waits in the warm pool, or a command of the CLI has made it for itself',
    );
  }
  if (state === 'suspended') {
    if (ifSuspended === 'wake') return undefined;
    const message = `The sandbox ${id} is suspended. With --wake it is woken for this, and suspended again afterwards.`;
    return new HermesError('SANDBOX_SUSPENDED', message, { details: { id } });
  }
  // A second process would have to make its namespaces anew, and so end what runs in those of the first.
  const isGateways = facts?.capabilities.survivesGateway === false;
  if (isGateways && (gateway === 'running' || leases.length > 0)) {
    return inUse(
      entry,
      `on ${entry.backend} its processes belong to the gateway, and would be ended. When nobody uses it: \`hermes sandbox suspend ${id}\`, then this command with --wake`,
    );
  }
  return undefined;
}

function inUse({ id, state, backend }: LedgerEntry, why: string): HermesError {
  const message = `The sandbox ${id} cannot be entered now: ${why}.`;
  return new HermesError('SANDBOX_IN_USE', message, { details: { id, state, backend } });
}
