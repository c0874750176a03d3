// hermes sandbox suspend: ends the processes of a sandbox and keeps its files.
import { defineCommand } from '../../command.ts';
import { changeSandbox } from './change-sandbox.ts';
import { sandboxArgument } from './visit-flags.ts';

export const sandboxSuspend = defineCommand({
  doc: 'Ends the processes of a sandbox and keeps its files; the next message of its session wakes it. Refused while somebody uses it.',
  flags: {},
  args: [sandboxArgument],
  examples: [['sandbox suspend k3v9', 'by the first characters of its id']],
  async run({ args }, context) {
    const { suspendByHand } = await import('../../../sessions/retire-by-hand.ts');
    return changeSandbox(context, { id: args.id, action: 'suspend' }, suspendByHand);
  },
  render: ({ sandbox, ended }) =>
    `${sandbox} is suspended.${ended === 0 ? '' : ` Background processes that were ended: ${ended}.`}`,
});
