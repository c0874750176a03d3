// bubblewrap, the program behind the backend of that name, and slirp4netns, with which it opens a network.
import { commandsOf } from './apt.ts';
import { CommandFailed, runCommand } from './command.ts';
import { NotAvailable, type Service } from './service.ts';

export interface BubblewrapAddress {
  readonly bwrap: string;
}

export const bubblewrap: Service<BubblewrapAddress> = {
  name: 'bubblewrap',
  async start(context) {
    if (process.platform !== 'linux') throw new NotAvailable('bubblewrap runs on Linux only');
    const { bwrap } = await commandsOf(context, { bwrap: 'bubblewrap', slirp4netns: 'slirp4netns' });
    try {
      await runCommand([bwrap, '--ro-bind', '/', '/', '--unshare-all', 'true'], { timeoutMs: 60_000 });
    } catch (error) {
      if (error instanceof CommandFailed)
        throw new NotAvailable(`the kernel refuses it: ${error.output.stderr}`);
      throw error;
    }
    return { address: { bwrap }, stop: async () => undefined };
  },
};
