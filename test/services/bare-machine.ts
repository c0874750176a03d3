// A bare Debian 12 machine, with bubblewrap and Python and little else, in which sandboxes can be made.
import type { Argv } from './command.ts';
import { bookwormRecipe, debianRoot } from './debian-root.ts';
import { startMachine } from './machine.ts';
import type { Service } from './service.ts';

export interface BareMachineAddress {
  /** Put before a command to run it inside as root. */
  readonly asRoot: Argv;
  /** Put before a command to run it inside as an ordinary user. */
  readonly asUser: Argv;
  /** Its file tree as seen from outside. */
  readonly rootDir: string;
}

export const bareMachine: Service<BareMachineAddress> = {
  name: 'bare-machine',
  async start(context) {
    const { asRoot, asUser, rootDir, stop } = await startMachine(
      context,
      await debianRoot(context, bookwormRecipe),
    );
    return { address: { asRoot, asUser, rootDir }, stop };
  },
};
