// The package as users get it: packed, installed into an empty folder, started by whatever Node is there.
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version as currentVersion } from '../../src/cli/version.ts';
import { runCommand } from '../services/command.ts';
import { findOlderNode, runProgram } from './run-program.ts';

const clone = join(import.meta.dirname, '../..');
const version = currentVersion();
const MINUTES = 60_000;
/** npm would leave its compile cache in the temporary folder. */
const npmEnv = { NODE_DISABLE_COMPILE_CACHE: '1' };

let root: string;
let installed: string;
let packed: readonly string[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-'));
  packed = await pack();
  installed = join(root, 'installed');
  await mkdir(installed);
  const tarball = (await readdir(root)).find(name => name.endsWith('.tgz')) ?? '';
  await runCommand(
    [
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
      join(root, tarball),
    ],
    { cwd: installed, env: npmEnv, timeoutMs: 5 * MINUTES },
  );
}, 6 * MINUTES);
afterAll(() => rm(root, { recursive: true }));

/** Packs a copy, so that the build leaves nothing in the clone. Returns the paths in the tarball. */
async function pack(): Promise<string[]> {
  const copy = join(root, 'copy');
  const isOurs = (path: string): boolean =>
    !/^\/(?:node_modules|dist|\.git)(?:\/|$)/.test(path.slice(clone.length));
  await cp(clone, copy, { recursive: true, filter: isOurs });
  await symlink(join(clone, 'node_modules'), join(copy, 'node_modules'));
  const { stdout } = await runCommand(
    ['npm', 'pack', '--json', '--foreground-scripts=false', '--pack-destination', root],
    { cwd: copy, env: npmEnv, timeoutMs: 2 * MINUTES },
  );
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]; // npm's documented output
  return files.map(file => file.path);
}

describe('the tarball', () => {
  it.each(['bin/hermes.js', 'dist/cli/main.js', 'docs/configuration.md', 'README.md', 'LICENSE'])(
    'holds %s',
    file => expect(packed).toContain(file),
  );

  it('holds no sources and no tests', () => {
    const allowed = /^(?:bin|dist|docs)\/|^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/;
    expect(
      packed.filter(path => !allowed.test(path) || /\.test\.|^dist\/.*(?<!\.d)\.ts$/.test(path)),
    ).toEqual([]);
  });
});

describe('installed into an empty folder', () => {
  const hermes = (node: string, ...args: string[]) =>
    runProgram([node, join(installed, 'node_modules/.bin/hermes'), ...args], {
      cwd: installed,
      env: { HERMES_HOME: join(root, 'home') },
    });

  const runs = async (node: string): Promise<void> => {
    expect(await hermes(node, '--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await hermes(node, 'config', 'check')).toMatchObject({ code: 0, stderr: '' });
    expect(await hermes(node, 'config', 'chek')).toMatchObject({ code: 2, stdout: '' });
    expect(await hermes(node, 'run', '--', 'echo ok; exit 3')).toMatchObject({ code: 3, stdout: 'ok\n' });
  };

  it('runs on Node 24', () => runs(process.execPath));

  it('runs on an older Node, by the one that came with it', async context => {
    const node = await findOlderNode();
    if (node === undefined) return context.skip('not run: every Node on the path is 24 or newer');
    await runs(node);
  });

  it('is a library too', async () => {
    const script = `import { openSandbox } from 'hermes-gateway';
      await using sandbox = await openSandbox({ backend: 'local' });
      console.log((await sandbox.exec('echo from the library')).stdout);`;
    const result = await runProgram([process.execPath, '--input-type=module', '--eval', script], {
      cwd: installed,
      env: { HERMES_HOME: join(root, 'home') },
    });
    expect(result).toMatchObject({ code: 0, stdout: 'from the library\n\n', stderr: '' });
  });
});
