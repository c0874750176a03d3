// Proofs about files: bytes in and out of a sandbox, and an error by name for everything that is none.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { NotProvable, type Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

const TEN_MEGABYTES = 10_000_000;
const ODD_NAMES = [
  ...['two words', `it's`, 'say "x"', 'line\nbreak', '-rf', '--', 'ünï 漢 🎉', '$HOME', '`x`', '*'],
  ...['back\\slash', ' lead', 'trail ', 'tab\there', '.hidden', '~', 'semi;colon', 'trailing\n'],
];

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const refused = { code: 'SANDBOX_FILE_REFUSED' };
const missing = { code: 'SANDBOX_FILE_MISSING' };

async function copies(trial: Trial): Promise<void> {
  const { handle } = await trial.open();
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const bytes = randomBytes(300_000);
    await writeFile(join(folder, 'in'), bytes);
    await handle.upload(join(folder, 'in'), 'there/copy');
    expect(sha256(await handle.readFile('there/copy'))).toBe(sha256(bytes));
    await handle.download('there/copy', join(folder, 'out'));
    expect(sha256(await readFile(join(folder, 'out')))).toBe(sha256(bytes));
    await handle.writeFile('there/copy', 'short');
    await handle.download('there/copy', join(folder, 'out'));
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('short');
    await expect(handle.upload(join(folder, 'none'), 'x')).rejects.toMatchObject({
      code: 'USAGE_HOST_FILE',
    });
    await expect(handle.download('none', join(folder, 'none'))).rejects.toMatchObject(missing);
    await expect(readFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const fileProofs = proofs(verifies => {
  verifies('files.binary', async trial => {
    const { handle } = await trial.open();
    const bytes = randomBytes(TEN_MEGABYTES);
    await handle.writeFile('binary', bytes);
    expect((await handle.exec('sha256sum <binary')).stdout.split(' ')[0]).toBe(sha256(bytes));
    const read = await handle.readFile('binary');
    expect(read.length).toBe(TEN_MEGABYTES);
    expect(sha256(read)).toBe(sha256(bytes));
    // It may grow while it is read: never more is taken than was allowed.
    await expect(handle.readFile('binary', { most: TEN_MEGABYTES - 1 })).rejects.toMatchObject({
      code: 'SANDBOX_FILE_REFUSED',
    });
    expect((await handle.readFile('binary', { most: TEN_MEGABYTES })).length).toBe(TEN_MEGABYTES);
  });

  verifies('files.replaced', async trial => {
    const { handle } = await trial.open();
    await handle.writeFile('a/b/c/file', 'a long text');
    await handle.exec('chmod 750 a/b/c/file');
    await handle.writeFile('a/b/c/file', 'short');
    expect(text(await handle.readFile(`${handle.workdir}/a/b/c/file`))).toBe('short');
    expect((await handle.stat('a/b/c/file')).mode).toBe(0o750);
    await handle.writeFile('a/b/c/file', new Uint8Array());
    expect(await handle.stat('a/b/c/file')).toMatchObject({ size: 0 });
    expect((await handle.readFile('a/b/c/file')).length).toBe(0);
  });

  verifies('files.missing', async trial => {
    const { handle } = await trial.open();
    await handle.exec('ln -s nowhere dangling');
    await expect(handle.readFile('none')).rejects.toMatchObject(missing);
    await expect(handle.readFile('no/such/folder/file')).rejects.toMatchObject(missing);
    await expect(handle.readFile('dangling')).rejects.toMatchObject(missing);
    await expect(handle.stat('none')).rejects.toMatchObject(missing);
    await expect(handle.listFiles('none')).rejects.toMatchObject(missing);
  });

  verifies('files.folder', async trial => {
    const { handle } = await trial.open();
    await handle.writeFile('folder/file', 'x');
    await expect(handle.readFile('folder')).rejects.toMatchObject(refused);
    await expect(handle.writeFile('folder', 'x')).rejects.toMatchObject(refused);
    await expect(handle.listFiles('folder/file')).rejects.toMatchObject(refused);
    await expect(handle.writeFile('folder/file/below', 'x')).rejects.toMatchObject(refused);
    expect(text(await handle.readFile('folder/file'))).toBe('x');
  });

  verifies('files.special', async trial => {
    const { handle } = await trial.open();
    await handle.exec('mkfifo pipe');
    for (const path of ['pipe', '/dev/zero', '/dev/full'])
      await expect(trial.within(handle.readFile(path), `${path} is refused`)).rejects.toMatchObject(refused);
    await expect(trial.within(handle.writeFile('pipe', 'x'), 'the pipe is refused')).rejects.toMatchObject(
      refused,
    );
  });
});

export const fileNameProofs = proofs(verifies => {
  verifies('files.permission', async trial => {
    const { unprivileged } = trial.ground;
    if (typeof unprivileged === 'string') throw new NotProvable(unprivileged);
    const { handle } = await trial.open({}, unprivileged);
    await handle.exec(
      'echo x >closed; chmod 000 closed; mkdir shut; echo x >shut/file; chmod 000 shut; mkdir fixed; chmod 555 fixed',
    );
    try {
      await expect(handle.readFile('closed')).rejects.toMatchObject(refused);
      await expect(handle.writeFile('closed', 'y')).rejects.toMatchObject(refused);
      await expect(handle.readFile('shut/file')).rejects.toMatchObject(refused);
      await expect(handle.listFiles('shut')).rejects.toMatchObject(refused);
      await expect(handle.writeFile('fixed/new', 'y')).rejects.toMatchObject(refused);
      await expect(handle.writeFile('fixed/new/deep', 'y')).rejects.toMatchObject(refused);
    } finally {
      await handle.exec('chmod 700 closed shut fixed');
    }
  });

  verifies('files.traversal', async trial => {
    const { handle } = await trial.open();
    const own = (await handle.exec('cat /etc/passwd')).stdout;
    const up = '../'.repeat(50);
    expect(text(await handle.readFile(`${up}etc/passwd`))).toBe(own);
    await handle.exec('mkdir -p a/b');
    await handle.writeFile('a/b/../../top', 'here');
    expect((await handle.exec('cat top')).stdout).toBe('here');
    expect((await handle.listFiles(up)).some(({ name }) => name === 'etc')).toBe(true);
  });

  verifies('files.names', async trial => {
    const { handle } = await trial.open();
    for (const name of ODD_NAMES) {
      await handle.writeFile(`odd/${name}`, name);
      expect(text(await handle.readFile(`odd/${name}`))).toBe(name);
      expect(await handle.stat(`odd/${name}`)).toMatchObject({ type: 'file', size: Buffer.byteLength(name) });
    }
    const names = (await handle.listFiles('odd')).map(({ name }) => name);
    expect(names.toSorted()).toEqual(ODD_NAMES.toSorted());
    await expect(handle.readFile('nul\0byte')).rejects.toMatchObject({ code: 'USAGE_BAD_ARGUMENTS' });
  });
});

export const fileListProofs = proofs(verifies => {
  verifies('files.list', async trial => {
    const { handle } = await trial.open();
    await handle.exec(
      'mkdir -p box/inner; echo 12345 >box/file; ln -s file box/link; : >box/.hidden; mkfifo box/pipe; chmod 640 box/file',
    );
    const listed = await handle.listFiles('box');
    const types = Object.fromEntries(listed.map(({ name, type }) => [name, type]));
    expect(types).toEqual({ inner: 'folder', file: 'file', link: 'link', '.hidden': 'file', pipe: 'other' });
    expect(listed.find(({ name }) => name === 'file')).toMatchObject({ size: 6, mode: 0o640 });
    expect(await handle.listFiles('box/inner')).toEqual([]);
  });

  verifies('files.stat', async trial => {
    const { handle } = await trial.open();
    await handle.exec(
      'echo 12345 >file; chmod 4755 file; touch -d "2001-02-03 04:05:06" file; mkdir folder; ln -s nowhere link',
    );
    const seconds = Number((await handle.exec('date -r file +%s')).stdout);
    expect(await handle.stat('file')).toEqual({
      type: 'file',
      size: 6,
      mode: 0o4755,
      modifiedMs: seconds * 1000,
    });
    expect(await handle.stat('folder')).toMatchObject({ type: 'folder' });
    expect(await handle.stat('link')).toMatchObject({ type: 'link' });
  });

  verifies('files.copies', copies);
});
