// A folder of programs that has bash and busybox and nothing else: as a PATH it stands for a minimal machine.
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf, unpackedPackage } from './apt.ts';
import { runCommand } from './command.ts';
import type { Service } from './service.ts';

export interface BusyboxAddress {
  readonly binDir: string;
}

export const busybox: Service<BusyboxAddress> = {
  name: 'busybox',
  async start(context) {
    const { bash } = await commandsOf(context, { bash: 'bash' });
    const unpacked = join(await unpackedPackage(context, 'busybox-static'), 'bin/busybox');
    const binDir = join(context.dir, 'bin');
    await mkdir(binDir);
    // A copy in the run: the cache may be in a folder that ordinary users cannot enter.
    await copyFile(unpacked, join(binDir, 'busybox'));
    for (const applet of (await runCommand([unpacked, '--list'])).stdout.split('\n')) {
      if (applet && applet !== 'busybox') await symlink('busybox', join(binDir, applet));
    }
    await symlink(bash, join(binDir, 'bash'));
    return { address: { binDir }, stop: async () => undefined };
  },
};
