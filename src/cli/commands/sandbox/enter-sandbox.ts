// How a command gets into a sandbox: beside the gateway over a connection of its own, inside of it through the door that
// whatever anybody does there passes.
import type { Deed, JudgedPlace } from '../../../agent/deed.ts';
import { HermesError } from '../../../base/errors.ts';
import { visitSandbox, whyNotVisited } from '../../../sessions/visit.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { ToolSandbox } from '../../../tools/tool.ts';
import type { CommandContext } from '../../command.ts';
import type { Opened } from '../installation.ts';

export interface Entering<T> extends Pick<Deed<T>, 'subject' | 'action'> {
  readonly entry: LedgerEntry;
  /** Such as `hermes sandbox get`. */
  readonly purpose: string;
  readonly wake: boolean;
  readonly work: (handle: ToolSandbox['handle'], place: JudgedPlace) => Promise<T>;
}

/** Throws SANDBOX_GONE, SANDBOX_SUSPENDED or SANDBOX_IN_USE, with what to do; inside of the gateway DENIED_ACTION too. */
export async function enterSandbox<T>(
  { inside, signal }: CommandContext,
  { world, gateway }: Pick<Opened, 'world' | 'gateway'>,
  { entry, purpose, wake, work, ...judged }: Entering<T>,
): Promise<T> {
  const ifSuspended = wake ? 'wake' : 'refuse';
  const options = { purpose, ifSuspended, gateway, signal } as const;
  if (!inside) return visitSandbox(world, entry, options, handle => work(handle, {}));
  const refusal = whyNotVisited({ entry, ifSuspended, leases: [], facts: undefined, gateway: 'none' });
  if (refusal) throw refusal;
  const session = await world.store.sessions.find(entry.sessionId ?? '');
  if (!session) throw new HermesError('SANDBOX_GONE', `The sandbox ${entry.id} is no session’s.`);
  return inside.perform(session, {
    ...judged,
    name: purpose,
    work: ({ handle }, place) => work(handle, place),
  });
}
