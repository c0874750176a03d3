// hermes pairing clear-pending: forgets everybody who has asked to be let in.
import { defineCommand } from '../../command.ts';
import { changePeople } from '../people/person.ts';

export const pairingClearPending = defineCommand({
  doc: 'Forgets all requests to be let in; their codes are worth nothing any more. Nobody is kept out by it.',
  flags: {},
  args: [],
  examples: [['pairing clear-pending', 'after a flood of strangers']],
  run: (_input, context) =>
    changePeople(context, ({ store }) =>
      store.transaction(async inside => {
        const cleared = await inside.pairings.clearPending();
        const subject = `${cleared} requests`;
        await inside.audit.append({ actor: context.actor, action: 'pairing', subject, outcome: 'cleared' });
        return { cleared };
      }),
    ),
  render: ({ cleared }) =>
    cleared === 1 ? 'One request is forgotten.' : `${cleared} requests are forgotten.`,
});
