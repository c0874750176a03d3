// The filter as a user calls it (P7).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawFrom } from '../../../test/fixtures/redaction/parts.ts';
import { runCli } from '../run-cli.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-redact-'));
});
afterEach(() => rm(home, { recursive: true }));

interface Call {
  readonly input?: readonly (string | Buffer)[];
  readonly environment?: Record<string, string>;
}

async function hermes(argv: readonly string[], { input = [], environment = {} }: Call = {}) {
  const out: Buffer[] = [];
  let stderr = '';
  const code = await runCli({
    argv,
    environment: { HERMES_HOME: home, ...environment },
    stdin: Readable.from(input, { objectMode: true }),
    stdout: { write: text => out.push(Buffer.from(text)) },
    stderr: { write: text => (stderr += text) },
  });
  return { code, bytes: Buffer.concat(out), stdout: Buffer.concat(out).toString('utf8'), stderr };
}

const token = ['ghp', drawFrom(1)('alnum', 36)].join('_');

describe('hermes redact', () => {
  it('works without a configuration', async () => {
    const { code, stdout } = await hermes(['redact'], {
      input: [`a ${token.slice(0, 9)}`, `${token.slice(9)}\nb`],
    });
    expect(code).toBe(0);
    expect(stdout).toBe('a [redacted:github-token]\nb');
  });

  it('hides all of .env, secret settings and forwarded variables', async () => {
    await writeFile(join(home, '.env'), 'WHATEVER=ordinary-words\nTERMINAL_ENV=docker\n', { mode: 0o600 });
    await writeFile(
      join(home, 'config.yaml'),
      'telegram:\n  bot_token: in-the-file-42\ngateway:\n  sandbox_forward_env: [MINE, PATH]\n',
    );
    const environment = { MINE: 'value of mine', TELEGRAM_BOT_TOKEN: 'in-the-env-42', PATH: '/usr/bin' };
    const input = ['ordinary-words, in-the-file-42, in-the-env-42, value of mine, docker /usr/bin\n'];
    const { stdout } = await hermes(['redact'], { input, environment });
    const mark = '[redacted:known]';
    expect(stdout).toBe(`${mark}, ${mark}, ${mark}, ${mark}, docker /usr/bin\n`);
  });

  it('leaves shapes with security.redact_secrets: false, and never known values', async () => {
    await writeFile(join(home, '.env'), 'X=ordinary-words\n', { mode: 0o600 });
    await writeFile(join(home, 'config.yaml'), 'security:\n  redact_secrets: false\n');
    const { stdout } = await hermes(['redact'], { input: [`${token} ordinary-words`] });
    expect(stdout).toBe(`${token} [redacted:known]`);
  });

  it('passes every other byte on', async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256));
    const input = [bytes.subarray(0, 1000), bytes.subarray(1000)];
    const { bytes: shown } = await hermes(['redact'], { input });
    expect(shown.equals(bytes)).toBe(true);
  });

  it('gives JSON when asked', async () => {
    const { stdout } = await hermes(['redact', '--json'], { input: [`ü ${token}`] });
    expect(JSON.parse(stdout)).toEqual({ text: 'ü [redacted:github-token]' });
  });

  it('shows nothing when the configuration is broken', async () => {
    await writeFile(join(home, 'config.yaml'), 'terminal:\n  timeout: soon\n');
    const { code, stdout } = await hermes(['redact'], { input: ['anything'] });
    expect([code, stdout]).toEqual([78, '']);
  });
});

describe('errors of any command', () => {
  it.each([[[]], [['--json']]])('hide what looks like a secret %j', async json => {
    const { code, stderr } = await hermes(['config', 'show', token, ...json]);
    expect(code).toBe(2);
    expect(stderr).toContain('[redacted:github-token]');
    expect(stderr).not.toContain(token);
  });

  it('hide the values that the configuration knows', async () => {
    await writeFile(join(home, '.env'), 'X=ordinary-words\n', { mode: 0o600 });
    const { stderr } = await hermes(['config', 'show', 'ordinary-words']);
    expect(stderr).toContain('[redacted:known]');
    expect(stderr).not.toContain('ordinary-words');
  });
});
