// hermes gateway start: serves, here or in a process of its own.
import { defineCommand } from '../../command.ts';
import { type Ready, readyText } from './ready.ts';
import { type Stopped, serveGateway } from './serve.ts';

/** So that a supervisor that restarts what has failed starts it again. */
const EXIT_RESTART = 75;

export const gatewayStart = defineCommand({
  doc: 'Starts the gateway: sandboxes, their clean-up, and the platforms that are set up. It serves until Ctrl-C, SIGTERM or `hermes gateway stop`, and then stops in order; a second signal ends it at once. A mistake in the configuration ends it with 78 before anything is made.',
  flags: {
    detach: { type: 'switch', doc: 'leave it running, and return when it is ready' },
    newState: {
      type: 'switch',
      doc: 'start without the old state where `state.db` is missing; sandboxes of the old state are removed',
    },
  },
  args: [],
  examples: [
    ['gateway start', 'in the foreground'],
    ['gateway start --detach', 'in the background'],
    ['gateway start --set gateway.terminal_backend=docker', 'with another setting, this once'],
  ],
  async run({ flags }, context): Promise<Ready | Stopped> {
    if (!flags.detach) return serveGateway(context, { mayBeNew: flags.newState });
    const { home } = (await context.config()).paths;
    const { startDetached } = await import('./detach.ts');
    const words = process.argv.slice(2).filter(word => word !== '--detach');
    return startDetached({ home, words }, context);
  },
  render: (data, look) => (data.event === 'ready' ? readyText(data, look) : 'The gateway has stopped.'),
  renderJson: data => JSON.stringify(data),
  exitCode: data => (data.event === 'stopped' && data.wantsRestart ? EXIT_RESTART : 0),
});
