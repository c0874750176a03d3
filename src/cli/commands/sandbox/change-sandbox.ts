// What suspending and destroying by hand have in common.
import { dropDeadLeases } from '../../../sessions/dead-leases.ts';
import type { SandboxWorld } from '../../../sessions/world.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { CommandContext } from '../../command.ts';
import { findSandbox } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';

export interface ChangedSandbox {
  readonly sandbox: string;
  readonly state: LedgerEntry['state'];
  /** How many background processes ran in it. */
  readonly ended: number;
}

export function changeSandbox(
  context: CommandContext,
  { id, action }: { readonly id: string; readonly action: 'suspend' | 'destroy' },
  change: (world: SandboxWorld, entry: LedgerEntry) => Promise<void>,
): Promise<ChangedSandbox> {
  return withWorld(context, id, async ({ world, gateway }) => {
    const { store } = world;
    // Of a gateway that has died nothing but its leases may be left.
    await dropDeadLeases(world, gateway);
    const entry = await findSandbox(store, id);
    const processes = await store.processes.list(entry.id);
    context.note(`${action}: ${entry.name ?? entry.id} on ${entry.backend}`);
    await change(world, entry);
    await store.processes.endAll(entry.id);
    await store.audit.append({
      actor: 'cli',
      ...(entry.sessionId === null ? {} : { sessionId: entry.sessionId }),
      sandboxId: entry.id,
      action,
      subject: entry.name ?? entry.id,
      outcome: 'done',
    });
    const after = await store.ledger.find(entry.id);
    const ended = processes.filter(({ state }) => state === 'running').length;
    return { sandbox: entry.id, state: after?.state ?? 'gone', ended };
  });
}
