// Images on a real Apptainer: converted once, whoever asks, and refused with what to do.
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { newSpec, runIn, useGround } from './ground.ts';

describeWith('apptainer', () => {
  const ground = useGround();

  const images = (): string[] => {
    const folder = join(ground().top, 'images');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('converts an archive once for two that ask at the same time, and tells how it goes on', async () => {
    const image = `docker-archive:${ground().address.archive}`;
    const [one, other] = await Promise.all([ground().make(), ground().make()]);
    const sandboxes = await Promise.all([one, other].map(each => each.create(newSpec({ image }))));
    expect(images()).toEqual([expect.stringMatching(/^.*busybox.tar-[0-9a-f]{16}\.sif$/)]);
    expect(ground().told.filter(text => text.startsWith('Converting the image'))).toHaveLength(1);
    expect(ground().told.length).toBeGreaterThan(2);
    for (const sandbox of sandboxes) {
      expect(await runIn(sandbox, 'echo "$BASH_VERSION" | head -c 1')).toBe('5');
      await sandbox.destroy();
    }
    ground().told.splice(0);
    const third = await one.create(newSpec({ image }));
    await third.destroy();
    expect(ground().told).toEqual([]);
  });

  it('removes what a crash has left of a conversion, and leaves nothing of one that fails', async () => {
    const archive = join(ground().scratch, 'broken.tar');
    await writeFile(archive, 'no archive');
    const backend = await ground().make();
    const before = images();
    const creating = backend.create(newSpec({ image: `docker-archive:${archive}` }));
    await expect(creating).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('could not be converted, apptainer says: '),
    });
    expect(images()).toEqual(before);
  });

  it('warns of an image that is to be converted first, and makes no sandbox for it', async () => {
    const backend = await ground().make({ TERMINAL_SINGULARITY_IMAGE: 'docker://localhost:1/none' });
    expect(await backend.check()).toEqual([
      expect.objectContaining({
        severity: 'warning',
        message: expect.stringContaining('is not converted yet'),
      }),
    ]);
  });

  it('refuses files that are not there, and folders that are no images', async () => {
    const backend = await ground().make();
    const folder = join(ground().scratch, 'folder');
    await mkdir(folder);
    for (const [image, words] of [
      ['/nonexistent/x.sif', 'cannot be read'],
      [folder, 'apptainer build --sandbox'],
      ['ftp://x/y', 'of no known kind'],
    ] as const) {
      const creating = backend.create(newSpec({ image }));
      await expect(creating).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
        message: expect.stringContaining(words),
      });
    }
  });
});

describeWith('apptainer', () => {
  const ground = useGround();

  it('removes with the next conversion what nobody has used for a month, and nothing that a sandbox is made of', async () => {
    const longAgo = Date.now() / 1000 - 60 * 24 * 3600;
    const folder = join(ground().top, 'images');
    const backend = await ground().make();
    const first = await backend.create(newSpec({ image: `docker-archive:${ground().address.archive}` }));
    const used = join(folder, readdirSync(folder)[0] ?? '');
    const unused = join(folder, 'unused.sif');
    await writeFile(unused, '');
    for (const file of [used, unused]) await utimes(file, longAgo, longAgo);
    // Another image, for all that anybody can tell.
    const archive = join(ground().scratch, 'other.tar');
    await copyFile(ground().address.archive, archive);
    const second = await backend.create(newSpec({ image: `docker-archive:${archive}` }));
    expect(existsSync(unused)).toBe(false);
    expect(existsSync(used)).toBe(true);
    for (const sandbox of [first, second]) await sandbox.destroy();
  });
});
