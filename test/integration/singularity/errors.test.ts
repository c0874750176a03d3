// What stands in the way of the singularity backend, and what it says then. Nothing is run with less protection instead.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomProblem } from '../../../src/backends/singularity/scratch.ts';
import type { Backend } from '../../../src/index.ts';
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
  it('refuses a program that is root in somebody else’s folder, before anything is made', async () => {
    const backend = await withProgram(ground(), asRoot => `exec ${asRoot} apptainer "$@"`);
    const [problem] = await backend.check();
    expect(problem?.message).toContain('would run as root in');
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('would run as root in'),
    });
    expect(existsSync(ground().top)).toBe(false);
  });

  it('refuses an instance that is root on this machine all the same, and ends it', async () => {
    const backend = await withProgram(
      ground(),
      (asRoot, asUser) =>
        `case "$*" in inspect*) exec ${asUser} apptainer "$@" ;; *) exec ${asRoot} apptainer "$@" ;; esac`,
    );
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('is root on this machine. Start Hermes as an ordinary user.'),
    });
    expect(sandboxFolders(ground())).toEqual([]);
    const { asRoot } = users(ground());
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

/** The words that come before a program, for it to run as root or as the user beside the services' Apptainer. */
function users({ address: { asUser } }: SingularityGround): Record<'asRoot' | 'asUser', Argv> {
  const asRoot = asUser.slice(0, asUser.indexOf('setpriv')) as unknown as Argv; // it begins with a program
  return { asRoot, asUser };
}

/** With a program apptainer that is this script. */
async function withProgram(
  ground: SingularityGround,
  script: (asRoot: string, asUser: string) => string,
): Promise<Backend> {
  const folder = await mkdtemp(join(ground.scratch, 'root-bin-'));
  const quoted = (words: Argv): string => words.map(word => `'${word}'`).join(' ');
  const { asRoot, asUser } = users(ground);
  const text = `#!/bin/sh\n${script(quoted(asRoot), quoted(asUser))}\n`;
  await writeFile(join(folder, 'apptainer'), text, { mode: 0o755 });
  return ground.make({ PATH: `${folder}:${ground.environment['PATH']}` });
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
