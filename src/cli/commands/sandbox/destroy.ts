// hermes sandbox destroy: removes a sandbox with its files.
import { defineCommand } from '../../command.ts';
import { changeSandbox } from './change-sandbox.ts';
import { sandboxArgument } from './visit-flags.ts';

export const sandboxDestroy = defineCommand({
  doc: 'Removes a sandbox with all its files. Its session gets a new one with the next message. Refused while somebody uses it.',
  flags: {},
  args: [sandboxArgument],
  examples: [['sandbox destroy k3v9', 'by the first characters of its id']],
  async run({ args }, context) {
    const { destroyByHand } = await import('../../../sessions/retire-by-hand.ts');
    return changeSandbox(context, { id: args.id, action: 'destroy' }, destroyByHand);
  },
  render: ({ sandbox, ended }) =>
    `${sandbox} is gone.${ended === 0 ? '' : ` Background processes that were ended: ${ended}.`}`,
});
