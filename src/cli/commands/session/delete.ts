// hermes session delete: forgets a conversation.
import { HermesError } from '../../../base/errors.ts';
import type { Store } from '../../../store/store.ts';
import { defineCommand } from '../../command.ts';
import { findSession } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';
import { sessionArgument } from './argument.ts';

export const sessionDelete = defineCommand({
  doc: 'Deletes a session with everything that belongs to it; the audit keeps what was done in it. Refused as long as it has a sandbox.',
  flags: {},
  args: [sessionArgument],
  examples: [['session delete k3v9', 'by the first characters of its id']],
  run({ args }, context) {
    return withWorld(context, args.id, async ({ world }) => {
      const { store } = world;
      const { id } = await findSession(store, args.id);
      if ((await store.sessions.delete(id)) === 'has-sandbox') throw await hasSandbox(store, id);
      await store.audit.append({
        actor: context.actor,
        sessionId: id,
        action: 'delete',
        subject: id,
        outcome: 'done',
      });
      return { session: id };
    });
  },
  render: ({ session }) => `${session} is deleted.`,
});

async function hasSandbox({ ledger }: Store, session: string): Promise<HermesError> {
  const rows = await ledger.list({ sessionId: session });
  const ids = rows.filter(({ state }) => state !== 'gone').map(({ id }) => id);
  const how = ids.map(id => `hermes sandbox destroy ${id}`).join('; ');
  return new HermesError(
    'SANDBOX_STILL_THERE',
    `The session ${session} still has a sandbox, with files in it. Remove it before: ${how}`,
    { details: { session, sandboxes: ids } },
  );
}
