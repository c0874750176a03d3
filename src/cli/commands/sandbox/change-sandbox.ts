// What suspending and destroying by hand have in common.

import { isHermesError } from '../../../base/errors.ts';
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
  return withWorld(context, id, async ({ world, config, gateway }) => {
    const { store } = world;
    // Of a gateway that has died nothing but its leases may be left.
    await dropDeadLeases(world, gateway);
    const entry = await findSandbox(store, id);
    const processes = await store.processes.list(entry.id);
    context.note(`${action}: ${entry.name ?? entry.id} on ${entry.backend}`);
    if (gateway !== 'running' || !(await changedThere(config.paths.home, entry.id, action)))
      await change(world, entry);
    await store.processes.endAll(entry.id);
    await store.audit.append({
      actor: context.actor,
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

/** By the running gateway, over its own connection to the sandbox; false when it is not there after all. */
async function changedThere(home: string, sandbox: string, action: 'suspend' | 'destroy'): Promise<boolean> {
  const { askGateway } = await import('../../../gateway/process/ask-gateway.ts');
  try {
    await askGateway(home, { verb: 'change-sandbox', sandbox, action });
    return true;
  } catch (error) {
    if (isHermesError(error, 'UNAVAILABLE_NOT_RUNNING')) return false;
    throw error;
  }
}
