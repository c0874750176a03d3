import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guardCommand } from './guard.ts';

describe('the guard of a sandbox', () => {
  it('ends it when no sign of life comes, and not before', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'guard-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const sign = join(dir, 'folder', 'alive');
    const [program = '', ...args] = guardCommand(0.3, sign);
    const guard = spawn(program, args, { stdio: 'ignore' });
    const ended = once(guard, 'exit');
    for (let signs = 0; signs < 3; signs++) {
      await expect.poll(() => existsSync(join(dir, 'folder')) && !existsSync(sign)).toBe(true);
      await writeFile(sign, '');
    }
    expect(guard.exitCode).toBeNull();
    expect(await ended).toEqual([0, null]);
  });

  it('looks at least once a minute', () => {
    expect(guardCommand(4200).slice(4, 6)).toEqual(['60', '70']);
    expect(guardCommand(10).slice(4, 6)).toEqual(['1', '10']);
  });
});
