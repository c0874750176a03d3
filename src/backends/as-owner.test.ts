import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeOwned } from './as-owner.ts';

const OURSELVES = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('removes what somebody else is removing too, as a killed gateway’s `rm` does', async () => {
  for (let round = 0; round < 2; round++) {
    const tree = join(folder, `tree-${round}`);
    for (let at = 0; at < 150; at++) {
      await mkdir(join(tree, `${at % 10}`, `${at}`, 'deep'), { recursive: true });
      await writeFile(join(tree, `${at % 10}`, `${at}`, 'deep', 'file'), '');
    }
    const other = spawn('rm', ['-rf', '--', tree]);
    const ended = once(other, 'close');
    await once(other, 'spawn');
    await removeOwned(OURSELVES, [tree]);
    expect(existsSync(tree)).toBe(false);
    await ended;
  }
});
