// The checker of shell scripts, from Debian.
import { commandsOf } from './apt.ts';
import type { Service } from './service.ts';

export interface ShellcheckAddress {
  readonly program: string;
}

export const shellcheck: Service<ShellcheckAddress> = {
  name: 'shellcheck',
  async start(context) {
    const { shellcheck: program } = await commandsOf(context, { shellcheck: 'shellcheck' });
    return { address: { program }, stop: async () => undefined };
  },
};
