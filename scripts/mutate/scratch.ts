// A copy of the working tree in which mutations are made: an interrupted run leaves none behind in the tree itself.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Scratch {
  readonly root: string;
  remove(): Promise<void>;
}

/** All files that git knows or would add, and the installed packages as a link. */
export async function makeScratch(tree: string): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), 'hermes-mutate-'));
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
  );
  for (const name of stdout.split('\0')) {
    if (name === '') continue;
    await mkdir(dirname(join(root, name)), { recursive: true });
    // A file that was deleted and not yet committed is still listed.
    await cp(join(tree, name), join(root, name), { verbatimSymlinks: true }).catch(ignoreMissing);
  }
  await symlink(join(tree, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
