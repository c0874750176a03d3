// `hermes security audit` as an operator starts it; each check by itself is tested beside the command.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callHermes } from '../call-hermes.ts';
import { useGround } from '../gateway-process/ground.ts';
import { runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const ground = useGround();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const DOCKER = (): Record<string, string> => ({
  GATEWAY_TERMINAL_BACKEND: 'docker',
  DOCKER_HOST: `unix://${home}/no.sock`,
});

function audit(env: Readonly<Record<string, string>>, ...flags: string[]) {
  return callHermes(['security', 'audit', ...flags], {
    env: { ...env, HERMES_HOME: home },
  });
}

const idsOf = (stdout: string): string[] => JSON.parse(stdout).findings.map(({ id }: { id: string }) => id);

describe('hermes security audit', () => {
  it('exits 0 when nothing high is found, and says what could not be asked', async () => {
    const { code, stdout } = await audit(DOCKER(), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).counts).toMatchObject({ critical: 0, high: 0 });
    expect(JSON.parse(stdout).notes).toEqual([expect.stringContaining('docker could not be asked')]);
  });

  it('exits 1 for what is critical, in a table of 80 columns with the fix', async () => {
    writeFileSync(
      join(home, 'config.yaml'),
      'gateway:\n  terminal_backend: local\n  sandbox_volumes: ["/:/host"]\ncommand_allowlist: ["* x"]\n',
    );
    const { code, stdout } = await audit({});
    expect(code).toBe(1);
    expect(stdout).toMatch(/^critical +sandbox\.no-isolation +Chats run on this machine itself$/m);
    expect(stdout).toContain('fix: gateway.terminal_backend: docker');
    expect(stdout).toMatch(/\d+ checks: 2 critical, 1 high/);
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });

  it('changes nothing, and answers what would be', async () => {
    const { stdout } = await audit(DOCKER(), '--json', '--set', 'gateway.sandbox_network=open');
    expect(idsOf(stdout)).toContain('sandbox.network-open');
    expect(idsOf((await audit(DOCKER(), '--json')).stdout)).not.toContain('sandbox.network-open');
    const { stdout: left } = await runProgram(['ls', '-A', home]);
    expect(left).toBe('');
  });

  it('accepts what the settings accept', async () => {
    writeFileSync(
      join(home, 'config.yaml'),
      'security:\n  audit_ignore:\n    - id: sandbox.no-isolation\n      reason: a machine of its own\n',
    );
    const { code, stdout } = await audit({ TERMINAL_ENV: 'local' });
    expect(code).toBe(0);
    expect(stdout).toContain('Ignored: sandbox.no-isolation (a machine of its own)');
  });

  it('knows as whom it runs', async context => {
    if (process.getuid?.() !== 0) return context.skip('not run: needs root');
    expect(idsOf((await audit(DOCKER(), '--json')).stdout)).toContain('gateway.root');
    chownSync(home, 65_534, 65_534);
    chmodSync(home, 0o700);
    const { stdout, stderr } = await runProgram(
      [
        ...(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const),
        ...[process.execPath, program, 'security', 'audit', '--json'],
      ],
      { env: { ...DOCKER(), HERMES_HOME: home, HOME: home } },
    );
    if (stdout === '') return context.skip(`not run: nobody cannot read this clone: ${stderr}`);
    expect(idsOf(stdout)).not.toContain('gateway.root');
  });

  it('looks at a running gateway, and is not in its way', async () => {
    const { run, detach } = await ground();
    await detach();
    const { stdout, code } = await run('security', 'audit', '--json');
    expect([code, idsOf(stdout)]).toEqual([
      1,
      expect.arrayContaining(['sandbox.no-isolation', 'operation.no-backup']),
    ]);
    await run('backup', 'create');
    expect(idsOf((await run('security', 'audit', '--json')).stdout)).not.toContain('operation.no-backup');
  });
});
