import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from './clock.ts';
import { withFileLock } from './file-lock.ts';
import { ensurePrivateDir, writePrivateFile } from './private-files.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hermes-files-'));
});
afterEach(() => rm(dir, { recursive: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('P11: state files', () => {
  it('are 0600 in 0700 folders, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await ensurePrivateDir(join(dir, 'a/b'));
      await writePrivateFile(join(dir, 'a/b/state'), 'x');
    } finally {
      process.umask(before);
    }
    expect(await modeOf(join(dir, 'a/b'))).toBe(0o700);
    expect(await modeOf(join(dir, 'a/b/state'))).toBe(0o600);
  });

  it('are replaced whole: a reader never sees a part, and no temporary file stays', async () => {
    const file = join(dir, 'state');
    const contents = ['a'.repeat(200_000), 'b'.repeat(100_000)];
    await writePrivateFile(file, contents[0] ?? '');
    let writing = true;
    const reads = (async () => {
      const seen = new Set<string>();
      while (writing) seen.add(await readFile(file, 'utf8'));
      return seen;
    })();
    for (let turn = 0; turn < 20; turn++) await writePrivateFile(file, contents[turn % 2] ?? '');
    writing = false;
    for (const text of await reads) expect(contents).toContain(text);
    expect(await readdir(dir)).toEqual(['state']);
  });

  it('stay as they were when the write fails', async () => {
    await expect(writePrivateFile(join(dir, 'missing/state'), 'x')).rejects.toThrow('ENOENT');
    expect(await readdir(dir)).toEqual([]);
  });

  it('leave no temporary file behind when they cannot be put in place', async () => {
    await mkdir(join(dir, 'state/in-the-way'), { recursive: true });
    await expect(writePrivateFile(join(dir, 'state'), 'x')).rejects.toThrow('EISDIR');
    expect(await readdir(dir)).toEqual(['state']);
  });

  it('are written through a symlink, which stays one', async () => {
    await writeFile(join(dir, 'real'), 'old');
    await symlink('real', join(dir, 'link'));
    await writePrivateFile(join(dir, 'link'), 'new');
    expect(await readlink(join(dir, 'link'))).toBe('real');
    expect(await readFile(join(dir, 'real'), 'utf8')).toBe('new');
  });
});

describe('P11: a link whose target is yet to be made', () => {
  it('stays a link, and the target is made', async () => {
    await symlink('later', join(dir, 'link'));
    await writePrivateFile(join(dir, 'link'), 'new');
    expect(await readlink(join(dir, 'link'))).toBe('later');
    expect(await readFile(join(dir, 'later'), 'utf8')).toBe('new');
  });
});

describe('withFileLock', () => {
  it('lets one at a time change the file', async () => {
    const file = join(dir, 'counter');
    await writeFile(file, '0');
    const increment = () =>
      withFileLock(file, systemClock, async () => {
        const count = Number(await readFile(file, 'utf8'));
        await writePrivateFile(file, String(count + 1));
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await readFile(file, 'utf8')).toBe('20');
    expect(await readdir(dir)).toEqual(['counter']);
  });

  it('takes over from a holder that died', async () => {
    const file = join(dir, 'x');
    // A process id beyond any that Linux or macOS hands out.
    await writeFile(`${file}.lock`, '999999999');
    expect(await withFileLock(file, systemClock, async () => 'mine')).toBe('mine');
  });

  it('takes over a lock that is older than anybody would hold one', async () => {
    const file = join(dir, 'x');
    await writeFile(`${file}.lock`, String(process.pid));
    await utimes(`${file}.lock`, new Date(0), new Date(0));
    expect(await withFileLock(file, systemClock, async () => 'mine')).toBe('mine');
  });

  it('gives up with a named error while a living process holds it', async () => {
    const file = join(dir, 'x');
    await writeFile(`${file}.lock`, String(process.pid));
    let waitedMs = 0;
    // Every pause is over at once, and counts as if it had been waited for.
    const hurried: Clock = {
      now: systemClock.now,
      monotonic: () => waitedMs,
      after(ms, fire) {
        waitedMs += ms;
        return systemClock.after(0, fire);
      },
    };
    await expect(withFileLock(file, hurried, async () => 0)).rejects.toMatchObject({
      code: 'UNAVAILABLE_LOCK',
    });
    expect(waitedMs).toBeGreaterThanOrEqual(5000);
    expect(await readFile(`${file}.lock`, 'utf8')).toBe(String(process.pid));
  });

  it('frees the lock when the work fails', async () => {
    const file = join(dir, 'x');
    const failing = withFileLock(file, systemClock, async () => {
      throw new Error('work failed');
    });
    await expect(failing).rejects.toThrow('work failed');
    expect(await readdir(dir)).toEqual([]);
  });
});
