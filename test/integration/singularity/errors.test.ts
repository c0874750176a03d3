// What stands in the way of the singularity backend, and what it says then. Nothing is run with less protection instead.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomProblem } from '../../../src/backends/singularity/scratch.ts';
import { type Argv, runCommand } from '../../services/command.ts';
import { describeWith } from '../../services/use-service.ts';
import { newSpec, type SingularityGround, sandboxFolders, USER, useGround } from './ground.ts';

describeWith('apptainer', () => {
  const ground = useGround();
  it('says how to install what is missing', async () => {
    const backend = await ground().make({ PATH: '/nonexistent' });
    expect(await backend.version?.()).toBeUndefined();
    expect(await backend.check()).toEqual([
      {
        message: 'neither apptainer nor singularity is installed.',
        fix: expect.stringContaining('dnf install apptainer'),
      },
    ]);
    await expect(backend.create(newSpec())).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
  });

  it('tells the version of what is there', async () => {
    expect(await (await ground().make()).version?.()).toMatch(/^1\.\d+/);
  });

  asRoot(ground);

  it('warns of little room', async () => {
    const small = join(ground().scratch, 'small');
    await mkdir(small);
    await runCommand(['mount', '-t', 'tmpfs', '-o', 'size=64m', 'none', small]);
    try {
      expect(await roomProblem({ top: small, uid: USER, gid: USER })).toMatchObject({
        severity: 'warning',
        message: `Only 64 MiB are free where sandboxes are kept, in ${small}.`,
      });
    } finally {
      await runCommand(['umount', small]);
    }
  });

  networks(ground);
});

function asRoot(ground: () => SingularityGround): void {
  it('refuses an instance that is root on this machine, and ends it', async () => {
    const { asUser } = ground().address;
    const [enter, ...words] = asUser.slice(0, asUser.indexOf('setpriv')) as unknown as Argv; // it begins with a program
    const asRoot: Argv = [enter, ...words];
    const folder = join(ground().scratch, 'root-bin');
    await mkdir(folder);
    const line = [...asRoot, 'apptainer'].map(word => `'${word}'`).join(' ');
    await writeFile(join(folder, 'apptainer'), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
    const backend = await ground().make({ PATH: `${folder}:${ground().environment['PATH']}` });
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('is root on this machine. Start Hermes as an ordinary user.'),
    });
    expect(sandboxFolders(ground())).toEqual([]);
    expect((await runCommand([...asRoot, 'sh', '-c', 'pgrep -u 0 -c appinit || true'])).stdout).toBe('0\n');
  });

  it('refuses a scratch folder of root’s, and one that is not there', async () => {
    const mine = join(ground().scratch, 'mine');
    await mkdir(mine);
    for (const [folder, words] of [
      [mine, 'Hermes runs as root'],
      [join(mine, 'none'), 'cannot be used'],
    ] as const) {
      const backend = await ground().make({ TERMINAL_SCRATCH_DIR: folder });
      expect(await backend.check()).toEqual([
        expect.objectContaining({ message: expect.stringContaining(words) }),
      ]);
    }
  });
}

function networks(ground: () => SingularityGround): void {
  it('opens no network that nobody has named, and says when one is refused', async () => {
    const closed = await ground().make();
    await expect(closed.create(newSpec({ network: 'open' }))).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('Set terminal.singularity_network'),
    });
    const bridged = await ground().make({ TERMINAL_SINGULARITY_NETWORK: 'bridge' });
    await expect(bridged.create(newSpec({ network: 'open' }))).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('the network bridge could not be had'),
    });
    expect(sandboxFolders(ground())).toEqual([]);
  });

  it('warns of this machine’s own network', async () => {
    const backend = await ground().make({ TERMINAL_SINGULARITY_NETWORK: 'host' });
    expect(await backend.check()).toEqual([
      expect.objectContaining({
        severity: 'warning',
        message: expect.stringContaining('reach its loopback'),
      }),
    ]);
  });
}
