import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backendNames } from '../backends/index.generated.ts';
import { entries } from './commands/index.ts';
import { runCli } from './run-cli.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-cli-'));
});
afterEach(() => rm(home, { recursive: true }));

async function hermes(
  argv: readonly string[],
  environment: Record<string, string> = {},
  { isTTY = false, input = '' } = {},
) {
  let [stdout, stderr] = ['', ''];
  const code = await runCli({
    argv,
    environment: { HERMES_HOME: home, ...environment },
    stdin: Readable.from([input]),
    stdout: { isTTY, columns: 80, write: text => (stdout += text) },
    stderr: { isTTY, columns: 80, write: text => (stderr += text) },
  });
  return { code, stdout, stderr };
}

describe('the frame', () => {
  it('shows the help when called without words', async () => {
    const { code, stdout } = await hermes([]);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: hermes');
    expect(stdout).toContain('config');
  });

  it.each([
    [['help'], 'Usage: hermes [options] [command]'],
    [['help', 'config'], 'Usage: hermes config'],
    [['help', 'config', 'set'], 'Usage: hermes config set'],
  ])('%j is understood', async (argv, usage) => {
    const { code, stdout } = await hermes(argv);
    expect(code).toBe(0);
    expect(stdout).toContain(usage);
  });

  it.each(entries.map(({ path }) => [path.join(' ')]))(
    'hermes %s --help has examples and fits 80 columns',
    async path => {
      const { code, stdout } = await hermes([...path.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it.each([
    [['cofig'], 'USAGE_UNKNOWN_COMMAND', 'Did you mean config?'],
    [['config', 'chek'], 'USAGE_UNKNOWN_COMMAND', 'Did you mean check?'],
    [['config'], 'USAGE_BAD_ARGUMENTS', 'A command is missing'],
    [['-v'], 'USAGE_BAD_ARGUMENTS', '--version'],
    [['config', 'set', '', 'x'], 'USAGE_BAD_ARGUMENTS', 'There is no setting ""'],
    [['config', 'show', '--orign'], 'USAGE_BAD_ARGUMENTS', 'Accepted: --origin, --changed'],
    [['config', 'set', 'a'], 'USAGE_BAD_ARGUMENTS', "Missing required argument 'value'"],
    [['config', 'path', 'x', 'y'], 'USAGE_BAD_ARGUMENTS', 'hermes config path --help'],
    [['completion', 'tcsh'], 'USAGE_BAD_ARGUMENTS', 'Allowed choices are bash, zsh, fish'],
    [['config', 'check', '--set', 'x'], 'USAGE_BAD_ARGUMENTS', '--set KEY=VALUE'],
  ])('%j is refused with what is accepted', async (argv, code, hint) => {
    const result = await hermes(argv);
    expect(result.code).toBe(2);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(code);
    expect(result.stderr).toContain(hint);
  });

  it('prints errors as JSON to stderr with --json', async () => {
    const { code, stdout, stderr } = await hermes(['config', 'show', 'nope', '--json']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'USAGE_BAD_ARGUMENTS' });
  });

  it('breaks an error between words on a terminal, and leaves it in one line elsewhere', async () => {
    const words = ['config', 'set', 'terminal.timeout', 'abc'];
    const shown = (await hermes(words, { NO_COLOR: '1' }, { isTTY: true })).stderr.trimEnd().split('\n');
    expect(shown.length).toBeGreaterThan(1);
    for (const line of shown) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown.join(' ')).toBe((await hermes(words)).stderr.trimEnd());
  });

  it('colours only on a terminal, and never against NO_COLOR', async () => {
    const colour = /\x1b\[/;
    expect((await hermes(['config', 'check'], {}, { isTTY: true })).stdout).toMatch(colour);
    expect((await hermes(['config', 'check'], {})).stdout).not.toMatch(colour);
    expect((await hermes(['config', 'check'], { NO_COLOR: '1' }, { isTTY: true })).stdout).not.toMatch(
      colour,
    );
    expect((await hermes(['config', 'check'], { TERM: 'dumb' }, { isTTY: true })).stdout).not.toMatch(colour);
    expect((await hermes(['config', 'check'], { FORCE_COLOR: '1' })).stdout).toMatch(colour);
  });
});

describe('hermes config', () => {
  it('check refuses `docer` with the list of backends and exits 78', async () => {
    await writeFile(join(home, 'config.yaml'), 'terminal:\n  backend: docer\n');
    const { code, stderr } = await hermes(['config', 'check']);
    expect(code).toBe(78);
    expect(stderr).toContain(`${home}/config.yaml:2`);
    for (const name of backendNames) expect(stderr).toContain(name);
    expect(stderr).toContain('did you mean docker?');
  });

  it('check takes --set before, between and after the words', async () => {
    for (const argv of [
      ['--set', 'terminal.timeout=0', 'config', 'check'],
      ['config', '--set', 'terminal.timeout=0', 'check'],
      ['config', 'check', '--set', 'terminal.timeout=0'],
    ]) {
      const { code, stderr } = await hermes(argv);
      expect(stderr).toContain('flag --set terminal.timeout');
      expect(code).toBe(78);
    }
  });

  it('check says that a gateway would not start: a malformed token, a port in use, a backend that cannot do it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const check = async (...words: string[]) => {
      const { code, stdout } = await hermes(['config', 'check', '--offline', '--json', ...words]);
      const { valid, found } = JSON.parse(stdout) as { valid: boolean; found: { subject: string }[] };
      return { code, valid, subjects: found.map(({ subject }) => subject) };
    };
    const free = ['--set', 'gateway.http_port=0'];
    expect(await check(...free)).toEqual({ code: 0, valid: true, subjects: [] });
    const bad = (subject: string) => ({ code: 78, valid: false, subjects: [subject] });
    expect(await check('--set', `gateway.http_port=${port}`)).toEqual(bad('gateway.http_port'));
    const refused = ['--set', 'terminal.backend=local', '--set', 'gateway.sandbox_network=none'];
    expect(await check(...free, ...refused)).toEqual(bad('backend'));
    const twice = ['--set', 'web.enabled=true', '--set', `web.port=${port}`];
    expect(await check(...free, ...twice)).toEqual(bad('web.port'));
    await writeFile(join(home, '.env'), 'TELEGRAM_BOT_TOKEN=hunter2-hunter2\n', { mode: 0o600 });
    expect(await check(...free)).toEqual(bad('telegram.bot_token'));
    const { stdout } = await hermes(['config', 'check', '--offline', ...free]);
    expect(stdout).toMatch(/would not start.*TELEGRAM_BOT_TOKEN does not look like/s);
    expect(stdout).not.toContain('hunter2');
    await writeFile(join(home, '.env'), `TELEGRAM_BOT_TOKEN=123456:${'A'.repeat(35)}\n`, { mode: 0o600 });
    expect(await check(...free)).toMatchObject({ code: 0 });
  });

  it('every command says in one line where a safer source overrules a stronger one; show --origin shows both', async () => {
    await writeFile(join(home, 'config.yaml'), 'terminal:\n  backend: docker\n');
    await writeFile(join(home, '.env'), 'TERMINAL_ENV=local\n', { mode: 0o600 });
    const { code, stdout, stderr } = await hermes(['config', 'show', 'terminal.backend', '--origin']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/terminal\.backend\s+docker\s+config\.yaml:2\n\s+overruled\s+local\s+\.env:1/);
    const line = /^terminal\.backend: "docker" \(.*config\.yaml:2\) is used, not "local" \(.*\.env:1 .*safer/;
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(line)]);
    const asData = await hermes(['explain', '--json', '--', 'ls']);
    expect(JSON.parse(asData.stderr)).toEqual({ warning: expect.stringMatching(line) });
    const chosen = await hermes(['config', 'show', 'terminal.backend', '--set', 'terminal.backend=local']);
    expect([chosen.stdout, chosen.stderr]).toEqual([expect.stringMatching(/terminal\.backend\s+local/), '']);
  });

  it('show masks secrets, names origins and fits 80 columns', async () => {
    await writeFile(join(home, '.env'), 'TELEGRAM_BOT_TOKEN=hunter2\n', { mode: 0o600 });
    const { stdout, stderr } = await hermes(['config', 'show', '--origin']);
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stdout).toContain('***');
    expect(stdout).toContain('.env:1');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('show --json is for programs', async () => {
    const { stdout } = await hermes(['config', 'show', 'terminal.timeout', '--json']);
    expect(JSON.parse(stdout).settings).toEqual([
      { key: 'terminal.timeout', value: 180, origin: { from: 'default' } },
    ]);
  });

  it('set checks, saves, and says what overrides the new value', async () => {
    const { code, stdout, stderr } = await hermes(['config', 'set', 'terminal.timeout', '20'], {
      TERMINAL_TIMEOUT: '7',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('terminal.timeout = 20');
    expect(stderr).toContain('overridden by environment variable TERMINAL_TIMEOUT');
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('terminal:\n  timeout: 20\n');
  });

  it('set refuses a wrong value and writes nothing', async () => {
    const { code, stderr } = await hermes(['config', 'set', 'terminal.backend', 'docer']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean docker?');
    await expect(readFile(join(home, 'config.yaml'))).rejects.toThrow('ENOENT');
  });

  it('set takes the name of a variable, and keeps a secret out of config.yaml and of the output', async () => {
    const { stdout } = await hermes(['config', 'set', 'TELEGRAM_BOT_TOKEN', 'hunter2', '--json']);
    expect(stdout).not.toContain('hunter2');
    expect(await readFile(join(home, '.env'), 'utf8')).toBe('TELEGRAM_BOT_TOKEN=hunter2\n');
  });

  it('set reads a secret from standard input, where no other user can see it (P7)', async () => {
    await hermes(['config', 'set', 'TELEGRAM_BOT_TOKEN', '-'], {}, { input: 'hunter2\n' });
    expect(await readFile(join(home, '.env'), 'utf8')).toBe('TELEGRAM_BOT_TOKEN=hunter2\n');
  });

  it('set works in a broken configuration, and says that it is broken', async () => {
    await writeFile(join(home, 'config.yaml'), 'terminal:\n  backend: docer\n  timeout: x\n');
    const { code, stderr } = await hermes(['config', 'set', 'terminal.backend', 'docker']);
    expect(code).toBe(0);
    expect(stderr).toContain('other problems');
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toContain('backend: docker');
  });

  it('unset returns to the default', async () => {
    await hermes(['config', 'set', 'terminal.timeout', '20']);
    await hermes(['config', 'unset', 'terminal.timeout']);
    const { stdout } = await hermes(['config', 'show', '--changed']);
    expect(stdout).toBe('All settings are defaults.\n');
  });

  it('path tells where things are', async () => {
    expect((await hermes(['config', 'path'])).stdout).toBe(`${home}/config.yaml\n`);
  });
});
