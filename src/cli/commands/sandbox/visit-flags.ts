// What the commands that enter a sandbox have in common.

import { dropDeadLeases } from '../../../sessions/dead-leases.ts';
import type { AuditAction } from '../../../store/audit.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { Action, ToolSandbox } from '../../../tools/tool.ts';
import type { CommandContext } from '../../command.ts';
import { findSandbox } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';
import { enterSandbox } from './enter-sandbox.ts';

export const visitFlags = {
  wake: { type: 'switch', doc: 'wake a suspended one for this, and suspend it again afterwards' },
} as const;

export const sandboxArgument = { name: 'id', doc: 'id of the sandbox, or the beginning of it' } as const;

interface Visit {
  readonly id: string;
  readonly wake: boolean;
  /** For the audit and the lease: `files`, `get`, `put`. */
  readonly action: Extract<AuditAction, 'files' | 'get' | 'put'>;
  readonly subject: string;
  /** As a page's owner is judged by. */
  readonly judged: Action;
}

/** What the work has in its hands. */
export interface Visited {
  readonly handle: ToolSandbox['handle'];
  readonly entry: LedgerEntry;
  /** Where the path was judged to lead; absent = where that does not matter. */
  readonly path?: string;
  readonly redact: (text: string) => string;
}

/** Under a lease, so that nothing reaps it meanwhile; what was done stands in the audit afterwards. */
export function visit<T>(
  context: CommandContext,
  { id, wake, action, subject, judged }: Visit,
  work: (visited: Visited) => Promise<T>,
): Promise<T> {
  return withWorld(context, id, async ({ world, gateway }) => {
    await dropDeadLeases(world, gateway);
    const entry = await findSandbox(world.store, id);
    if (wake && entry.state === 'suspended') context.note(`waking ${entry.id}`);
    const result = await enterSandbox(
      context,
      { world, gateway },
      {
        ...{ entry, purpose: `hermes sandbox ${action}`, wake, subject, action: judged },
        work: (handle, place) => work({ ...place, handle, entry, redact: world.redact }),
      },
    );
    await world.store.audit.append({
      actor: context.actor,
      ...(entry.sessionId === null ? {} : { sessionId: entry.sessionId }),
      sandboxId: entry.id,
      action,
      subject,
      outcome: 'done',
    });
    return result;
  });
}
