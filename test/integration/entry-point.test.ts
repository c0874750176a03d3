// bin/hermes.js on a Node that is too old: it hands over to the bundled one, or says what to install.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findOlderNode, type ProgramOptions, runProgram } from './run-program.ts';

const clone = join(import.meta.dirname, '../..');

/** Stands where the built program does, and shows what reaches it. */
const PROGRAM = `
const acts = {
  version: () => console.log(process.versions.node.split('.')[0]),
  args: () => console.log(JSON.stringify(process.argv.slice(2))),
  fail: () => { process.exitCode = 7; },
  echo: () => process.stdin.pipe(process.stdout),
  wait: () => { setInterval(() => {}, 60_000); console.log('ready'); },
  tidy: () => { process.on('SIGTERM', () => process.exit(5)); acts.wait(); },
};
export const main = async () => acts[process.argv[2]]();
`;

let root: string;
let older: string | undefined;

beforeAll(async () => {
  older = await findOlderNode();
  root = await mkdtemp(join(tmpdir(), 'entry-'));
  await cp(join(clone, 'bin'), join(root, 'bin'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await mkdir(join(root, 'dist/cli'), { recursive: true });
  await writeFile(join(root, 'dist/cli/main.js'), PROGRAM);
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(context => {
  if (older === undefined) context.skip('not run: every Node on the path is 24 or newer');
});

const start = (args: readonly string[], options: ProgramOptions = {}) =>
  runProgram([older ?? 'node', join(root, 'bin/hermes.js'), ...args], options);

describe('without a bundled Node', () => {
  it('says what to install and exits 2', async () => {
    const { code, stdout, stderr } = await start(['version']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Install Node.js 24');
  });
});

describe('with a bundled Node', () => {
  beforeAll(() => symlink(join(clone, 'node_modules'), join(root, 'node_modules')));
  beforeEach(context => {
    const name = `${process.platform}-${process.arch}`;
    if (!['linux-x64', 'linux-arm64'].includes(name)) context.skip(`not run: no Node is bundled for ${name}`);
  });

  it('runs on it', async () => expect((await start(['version'])).stdout).toBe('24\n'));

  it('passes words on as they are', async () => {
    const { stdout } = await start(['args', '--', 'a b', '', '$x']);
    expect(JSON.parse(stdout)).toEqual(['args', '--', 'a b', '', '$x']);
  });

  it('passes standard input on', async () => {
    expect((await start(['echo'], { input: 'in\n' })).stdout).toBe('in\n');
  });

  it('ends with its exit code', async () => expect((await start(['fail'])).code).toBe(7));

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('passes %s on and dies of it as well', async signal => {
    const { code, signal: diedOf } = await start(['wait'], { signalWhenReady: signal });
    expect({ code, diedOf }).toEqual({ code: null, diedOf: signal });
  });

  it('lets the program answer a signal itself', async () => {
    expect((await start(['tidy'], { signalWhenReady: 'SIGTERM' })).code).toBe(5);
  });
});
