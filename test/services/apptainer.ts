// Apptainer, from Debian sid in a machine of its own, used by an ordinary user, with an image made of our own archive.
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Argv, exists, runCommand } from './command.ts';
import { debianRoot, type RootRecipe, rootKey } from './debian-root.ts';
import { imageArchive } from './image-archive.ts';
import { withLock } from './lock.ts';
import { startMachine } from './machine.ts';
import type { Service, ServiceContext } from './service.ts';

export interface ApptainerAddress {
  /** A program that takes Apptainer's arguments and runs it in the machine. Paths below the run's folder agree inside. */
  readonly apptainer: string;
  /** Put before any command to run it in the machine as the user of Apptainer. */
  readonly asUser: Argv;
  /** An image file of `hermes-test:bookworm`, readable inside and outside. */
  readonly sif: string;
  /** An archive of `hermes-test:busybox`, as `docker-archive:` takes it. */
  readonly archive: string;
}

const recipe: RootRecipe = {
  name: 'apptainer',
  suite: 'sid',
  packages: ['apptainer', 'squashfs-tools', 'squashfuse', 'fuse-overlayfs', 'procps', 'mount', 'tzdata'],
};

export const apptainer: Service<ApptainerAddress> = {
  name: 'apptainer',
  async start(context) {
    const archive = await imageArchive(context, 'bookworm');
    const small = await imageArchive(context, 'busybox');
    const { asUser, stop } = await startMachine(context, await debianRoot(context, recipe));
    try {
      const program = join(context.dir, 'apptainer');
      const line = [...asUser, 'apptainer'].map(word => `'${word}'`).join(' ');
      await writeFile(program, `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
      const sif = await imageFile(context, program, archive);
      // The ordinary user cannot enter the cache.
      const copy = join(context.dir, 'busybox.tar');
      await copyFile(small, copy);
      return { address: { apptainer: program, asUser, sif, archive: copy }, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

/** Builds the image file inside the machine, or takes it from an earlier run. */
async function imageFile(context: ServiceContext, program: string, archive: string): Promise<string> {
  const cached = join(context.cacheDir, 'images', `${basename(archive, '.tar')}-${rootKey(recipe)}.sif`);
  const sif = join(context.dir, 'hermes-test.sif');
  return withLock(`${cached}.lock`, context.signal, async () => {
    if (!(await exists(cached))) {
      const work = join(context.dir, 'build');
      await mkdir(work);
      await runCommand(['chown', '1000:1000', work]);
      // The ordinary user cannot enter the cache.
      await copyFile(archive, join(work, 'image.tar'));
      context.say('building the image file');
      const build = ['build', '--mksquashfs-args', '-Xcompression-level 1', join(work, 'image.sif')];
      await runCommand([program, ...build, `docker-archive:${join(work, 'image.tar')}`], {
        timeoutMs: 200_000,
        signal: context.signal,
        env: { APPTAINER_TMPDIR: work, APPTAINER_CACHEDIR: work, TMPDIR: work },
      });
      await copyFile(join(work, 'image.sif'), `${cached}.part`);
      await rename(`${cached}.part`, cached);
      await runCommand(['rm', '-rf', work]);
    }
    await copyFile(cached, sif);
    return sif;
  });
}
