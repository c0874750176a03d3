// Host folders and unpacked roots in bubblewrap sandboxes.
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeGround, openGround } from './ground.ts';

const isRoot = process.getuid?.() === 0;
const PROGRAMS = ['bash', 'cat', 'mkdir', 'mkfifo', 'rm', 'dd', 'sleep'];

describeGround('folders of the host', ground => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mounts-'));
    // Nobody else gets through it; root's sandboxes are somebody else.
    await chmod(dir, 0o700);
    await mkdir(join(dir, 'work'));
    await writeFile(join(dir, 'work/note'), 'from the host', { mode: 0o644 });
    if (isRoot) await chown(join(dir, 'work'), 12_345, 12_345);
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('mounts a folder at /workspace, where new files belong to the folder’s owner', async () => {
    const mounts = [{ source: join(dir, 'work'), target: '/workspace', readOnly: false }];
    const { run, handle } = await ground().open({ mounts });
    expect(await run('cat note; echo made >new; pwd')).toBe('from the host/workspace');
    expect(await readFile(join(dir, 'work/new'), 'utf8')).toBe('made\n');
    expect((await stat(join(dir, 'work/new'))).uid).toBe(isRoot ? 12_345 : process.getuid?.());
    await handle.destroy();
    expect(await readFile(join(dir, 'work/note'), 'utf8')).toBe('from the host');
  });

  it('mounts read-only what is to be read only', async () => {
    const mounts = [{ source: join(dir, 'work'), target: '/data', readOnly: true }];
    const { run, handle } = await ground().open({ mounts });
    expect(await run('cat /data/note')).toBe('from the host');
    expect((await handle.exec('echo x >/data/note')).exitCode).not.toBe(0);
    await handle.destroy();
  });

  it('refuses what hands over the host, through a link too, and leaves nothing', async () => {
    await symlink('/etc', join(dir, 'harmless'));
    const mounts = [{ source: join(dir, 'harmless'), target: '/data', readOnly: true }];
    await expect(ground().create({ mounts })).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    expect(await ground().listed('test')).toEqual([]);
  });

  it('uses an unpacked root instead of the host’s own', async () => {
    const root = join(dir, 'root');
    await unpack(root);
    await writeFile(join(root, 'etc/flavour'), 'unpacked\n', { mode: 0o644 });
    const other = await openGround({ TERMINAL_BUBBLEWRAP_ROOT: root });
    const { run, handle } = await other.open();
    expect(await run('cat /etc/flavour; [ -e /usr/bin/perl ] || echo no perl')).toBe('unpacked\nno perl');
    expect((await handle.exec('echo x >/etc/flavour')).exitCode).not.toBe(0);
    await handle.destroy();
    await other.close();
  });
});

/** A system of a few programs of this machine and the libraries that they need. */
async function unpack(root: string): Promise<void> {
  const programs = PROGRAMS.map(name => execFileSync('which', [name], { encoding: 'utf8' }).trim());
  const libraries = programs.flatMap(
    program => execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+/g) ?? [],
  );
  await mkdir(join(root, 'etc'), { recursive: true });
  for (const file of new Set([...programs, ...libraries])) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    execFileSync('cp', ['-L', file, join(root, file)]);
  }
  await mkdir(join(root, 'bin'), { recursive: true });
}
