// hermes gateway stop: ends the running gateway in order.
import { defineCommand } from '../../command.ts';
import { stopRunning } from './stop-running.ts';

export const gatewayStop = defineCommand({
  doc: 'Stops the running gateway: it takes no more messages, tells the chats, waits for runs as long as gateway.stop_timeout says, and leaves the rest so that it goes on after the next start. Returns when the process is gone.',
  flags: {},
  args: [],
  examples: [['gateway stop', 'in order']],
  async run(_input, context) {
    const { pid } = await stopRunning(context, 'end');
    return { stopped: pid };
  },
  render: ({ stopped }) => `The gateway, process ${stopped}, has stopped.`,
});
