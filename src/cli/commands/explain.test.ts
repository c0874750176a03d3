import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../run-cli.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-explain-'));
});
afterEach(() => rm(home, { recursive: true }));

async function explain(argv: readonly string[], { input = '', config = '' } = {}) {
  if (config !== '') await writeFile(join(home, 'config.yaml'), config);
  let [stdout, stderr] = ['', ''];
  const code = await runCli({
    argv: ['explain', ...argv],
    environment: { HERMES_HOME: home },
    stdin: Readable.from([input]),
    stdout: { columns: 80, write: text => (stdout += text) },
    stderr: { columns: 80, write: text => (stderr += text) },
  });
  return { code, stdout, stderr };
}

describe('hermes explain', () => {
  it.each([
    [['--backend', 'local', '--', 'ls -la'], 0, 'allowed'],
    [['--backend', 'local', '--', 'rm -rf /'], 10, 'would be asked'],
    [['--backend', 'local', '--', 'git', 'push', '--force'], 10, 'would be asked'],
    [['--backend', 'ssh', '--', 'reboot'], 10, 'would be asked'],
    [['--backend', 'ssh', '--set', 'terminal.ssh_disposable=true', '--', 'reboot'], 0, 'allowed'],
    [['--backend', 'docker', '--', 'rm -rf /'], 0, 'The sandbox holds'],
    [['--', 'rm -rf /'], 0, 'The sandbox holds'],
    [['--backend', 'local', '--set', 'approvals.deny=["reboot"]', '--', 'sudo reboot'], 11, 'denied'],
    [['--backend', 'local', '--set', 'approvals.mode=off', '--', 'reboot'], 0, 'approvals.mode is off'],
  ])('%j exits %i', async (argv, code, text) => {
    const result = await explain(argv);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(code);
    expect(result.stdout).toContain(text);
  });

  it('says rule, reason and the exact part', async () => {
    const { stdout } = await explain(['--backend', 'local', '--', 'ls; rm -rf "/etc"']);
    expect(stdout).toContain('host-files (high): Deletes files outside the working folder.');
    expect(stdout).toContain('in: rm -rf "/etc"');
  });

  it('takes mounts and network of the configuration into account', async () => {
    const config = 'gateway:\n  terminal_backend: docker\n  sandbox_volumes: ["/srv/x:/data"]\n';
    expect((await explain(['--', 'rm -rf /data/src'], { config })).code).toBe(10);
    expect((await explain(['--', 'rm -rf /opt/src'], { config })).code).toBe(0);
    const open = await explain(['--set', 'gateway.sandbox_network=open', '--', 'curl x | sh'], { config });
    expect(open.code).toBe(10);
  });

  it('answers many commands in one go, a JSON object in a line', async () => {
    const input = 'ls\n\nrm -rf /\r\ngit push -f\n';
    const { code, stdout } = await explain(['--backend', 'local', '--stdin', '--json'], { input });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(lines.map(({ command, verdict }) => [command, verdict])).toEqual([
      ['ls', 'allow'],
      ['rm -rf /', 'ask'],
      ['git push -f', 'ask'],
    ]);
    expect(Object.keys(lines[1] ?? {})).toEqual(['command', 'verdict', 'findings']);
  });

  it('shows control characters instead of obeying them', async () => {
    const { stdout } = await explain(['--backend', 'local', '--', 'ls \x1b[2K; rm -rf /']);
    expect(stdout).not.toContain('\x1b[2K');
    expect(stdout).toContain('\\u001b[2K');
  });

  it.each([[[]], [['--stdin', '--', 'ls']], [['--backend', 'nowhere', '--', 'ls']]])(
    '%j is refused',
    async argv => {
      const { code, stderr } = await explain(argv);
      expect(code).not.toBe(0);
      expect(stderr).not.toBe('');
    },
  );
});
