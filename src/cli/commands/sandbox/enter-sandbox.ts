// How a command gets into a sandbox: beside the gateway over a connection of its own, inside of it over the gateway's.
import type { SandboxHandle } from '../../../sandboxes/handle.ts';
import type { SessionSandboxes } from '../../../sessions/session-sandboxes.ts';
import { visitSandbox, whyNotVisited } from '../../../sessions/visit.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { CommandContext } from '../../command.ts';
import type { Opened } from '../installation.ts';

export interface Entering {
  readonly entry: LedgerEntry;
  /** Such as `hermes sandbox get`. */
  readonly purpose: string;
  readonly wake: boolean;
}

/** Throws SANDBOX_GONE, SANDBOX_SUSPENDED or SANDBOX_IN_USE, with what to do. */
export async function enterSandbox<T>(
  { actor, inside, signal }: CommandContext,
  { world, gateway }: Pick<Opened, 'world' | 'gateway'>,
  { entry, purpose, wake }: Entering,
  work: (handle: SandboxHandle) => Promise<T>,
): Promise<T> {
  const ifSuspended = wake ? 'wake' : 'refuse';
  if (!inside) return visitSandbox(world, entry, { purpose, ifSuspended, gateway, signal }, work);
  const refusal = whyNotVisited({ entry, ifSuspended, leases: [], facts: undefined, gateway: 'none' });
  if (refusal) throw refusal;
  const request = { purpose, actor, signal };
  return holdSandbox(inside.sandboxes, { session: entry.sessionId ?? '', request }, work);
}

interface Holding {
  readonly session: string;
  readonly request: Parameters<SessionSandboxes['hold']>[1];
}

/** As a run does: held meanwhile, and left to the clean-up afterwards. */
async function holdSandbox<T>(
  sandboxes: SessionSandboxes,
  { session, request }: Holding,
  work: (handle: SandboxHandle) => Promise<T>,
): Promise<T> {
  const held = await sandboxes.hold({ id: session }, request);
  try {
    return await work(held.handle);
  } finally {
    await sandboxes.release(held);
  }
}
