// A small disk that can be filled and emptied, as the home of a gateway. Only root on Linux can mount one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../../src/base/errors.ts';
import { newHome } from '../sessions/world.ts';

export interface SmallDisk {
  readonly home: string;
  fill(): void;
  empty(): void;
  remove(): void;
}

export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

export async function smallDisk(): Promise<SmallDisk> {
  const disk = await newHome();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'hermes-test', disk]);
  const home = join(disk, 'home');
  mkdirSync(home, { mode: 0o700 });
  const filler = (at: number): string => join(disk, `filler-${at}`);
  return {
    home,
    fill() {
      // The last page of it too, so that nothing at all can be written.
      for (const [at, bytes] of [1 << 20, 4096, 4096, 1].entries()) fillWith(filler(at), bytes);
    },
    empty() {
      for (let at = 0; at < 4; at++) rmSync(filler(at), { force: true });
    },
    remove() {
      execFileSync('umount', ['--lazy', disk]);
      rmSync(disk, { recursive: true, force: true });
    },
  };
}

function fillWith(path: string, bytes: number): void {
  const block = Buffer.alloc(bytes, 1);
  for (;;) {
    try {
      writeFileSync(path, block, { flag: 'a' });
    } catch (error) {
      if (systemErrorCode(error) === 'ENOSPC') return;
      throw error;
    }
  }
}
