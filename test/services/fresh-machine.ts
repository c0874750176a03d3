// A Debian 12 as it comes, with Node and npm and nothing else: no bubblewrap, no Docker, no network but loopback. Packages of
// Debian and of npm come from folders in it.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { type Argv, runCommand } from './command.ts';
import { debianRoot, freshRecipe } from './debian-root.ts';
import { runVariable } from './leftovers.ts';
import { startMachine } from './machine.ts';
import { copyNpmCache, findNpm } from './npm-cache.ts';
import type { Service } from './service.ts';

export interface FreshMachineAddress {
  /** Put before a command to run it inside as root; each such command has a network of its own, loopback alone. */
  readonly asRoot: Argv;
  /** Its file tree as seen from outside. */
  readonly rootDir: string;
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const freshMachine: Service<FreshMachineAddress> = {
  name: 'fresh-machine',
  async start(context) {
    const npm = await findNpm();
    const { unshare, ip } = await commandsOf(context, { unshare: 'util-linux', ip: 'iproute2' });
    const root = await debianRoot(context, freshRecipe);
    const { asRoot, rootDir, stop } = await startMachine(context, root);
    try {
      const local = join(rootDir, 'usr/local');
      await cp(process.execPath, join(local, 'bin/node'));
      await mkdir(join(local, 'lib/node_modules'), { recursive: true });
      await runCommand(['cp', '-a', npm.tree, join(local, 'lib/node_modules/npm')]);
      const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'] as const;
      await runCommand([...asRoot, ...link]);
      await copyNpmCache(context, npm, join(rootDir, 'root/.npm'));
    } catch (error) {
      await stop();
      throw error;
    }
    const alone: Argv = [unshare, '--net', 'sh', '-c', `${ip} link set lo up && exec "$@"`, 'sh'];
    // Nothing of this process but the mark by which the run finds what it has left.
    const clean = ['env', '-i', PATH, 'HOME=/root', 'USER=root', `${runVariable}=${context.runId}`];
    return { address: { asRoot: [...alone, ...asRoot, ...clean], rootDir }, stop };
  },
};
