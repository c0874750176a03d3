import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-allowed-'));
  await writeFile(
    join(home, 'config.yaml'),
    '# mine\ncommand_allowlist:\n  - "shape: mytool build {file} --fast"\n  - npm run *\n  - rm -rf /srv/\\*\n',
  );
});
afterEach(() => rm(home, { recursive: true }));

async function hermes(...argv: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await runCli({
    argv,
    environment: { HERMES_HOME: home },
    stdin: Readable.from(['']),
    stdout: { columns: 80, write: text => (stdout += text) },
    stderr: { columns: 80, write: text => (stderr += text) },
  });
  return { code, stdout, stderr };
}

const LEARNED = ['explain', '--backend', 'local', '--', 'mytool build --fast src/a.c'] as const;

it('lists what is allowed for good, with what kind of entry it is', async () => {
  const { code, stdout } = await hermes('approvals', 'allowed');
  expect(code).toBe(0);
  expect(stdout).toMatch(/1 +learned +shape: mytool build \{file\} --fast/);
  expect(stdout).toMatch(/2 +pattern +npm run \*/);
  expect(stdout).toMatch(/3 +command +rm -rf \/srv\/\\\*/);
});

it('P8: takes an entry back by its number or its text, and then it is asked about again', async () => {
  expect((await hermes(...LEARNED)).code).toBe(0);
  expect((await hermes('approvals', 'revoke', '1')).stdout).toContain('Revoked: shape: mytool build');
  expect((await hermes(...LEARNED)).code).toBe(10);
  expect((await hermes('approvals', 'revoke', 'npm run *')).code).toBe(0);
  expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe(
    '# mine\ncommand_allowlist:\n  - rm -rf /srv/\\*\n',
  );
});

it.each(['9', '0', 'nothing like it'])('says that there is no entry %s', async entry => {
  const { code, stderr } = await hermes('approvals', 'revoke', entry);
  expect(code).not.toBe(0);
  expect(stderr).toContain('hermes approvals allowed');
});
