// hermes gateway install, judged by systemd itself where it is there.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../run-program.ts';
import { hermesAt } from '../sessions/hermes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const UNIT = 'hermes-gateway.service';
const hasSystemd = existsSync('/usr/bin/systemd-analyze');

describe.runIf(process.platform === 'linux')('hermes gateway install', () => {
  it
    .runIf(hasSystemd)
    .each([['--system', '--run-as', 'daemon'], ['--system', '--run-as', 'root'], ['--user']])(
    'prints a unit that systemd has nothing against: %s %s %s',
    async (...words) => {
      const { run } = hermesAt(folder);
      const { stdout, code } = await run(['gateway', 'install', '--dry-run', ...words.filter(Boolean)]);
      expect(code).toBe(0);
      const unit = join(folder, UNIT);
      writeFileSync(unit, stdout);
      // `--man=no`: there are no pages; the verdict goes to stderr.
      const { code: verdict, stderr } = await runProgram(['systemd-analyze', 'verify', '--man=no', unit]);
      expect([verdict, stderr.split('\n').filter(line => line.includes(UNIT))]).toEqual([0, []]);
    },
  );

  const dryRun = (env: Readonly<Record<string, string>>, ...words: string[]) =>
    runProgram([process.execPath, program, 'gateway', 'install', '--dry-run', '--system', ...words], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    });

  it('names the home of the account that it runs as, unless another is given', async () => {
    const [, , , , , home] = (await runProgram(['getent', 'passwd', 'nobody'])).stdout.split(':');
    const own = await dryRun({}, '--run-as', 'nobody');
    expect(own.stdout).toContain(`Environment="HERMES_HOME=${home}/.hermes"\nUser=nobody`);
    const given = await dryRun({ HERMES_HOME: folder }, '--run-as', 'nobody');
    expect(given.stdout).toContain(`Environment="HERMES_HOME=${folder}"\nUser=nobody`);
    const nobody = await dryRun({}, '--run-as', 'no-such-account');
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('no-such-account')]);
  });

  it('writes it once, again over its own, and never over somebody else’s', async () => {
    const hermes = hermesAt(folder, { HOME: folder, XDG_CONFIG_HOME: folder });
    const path = join(folder, 'systemd/user', UNIT);
    const said = await hermes.run(['gateway', 'install', '--user']);
    expect(said.stdout).toContain(`systemctl --user enable --now ${UNIT}`);
    expect(readFileSync(path, 'utf8')).toContain(`"${process.execPath}"`);
    expect((await hermes.run(['gateway', 'install', '--user'])).code).toBe(0);
    writeFileSync(path, '[Unit]\n');
    expect(await hermes.error('gateway', 'install', '--user')).toMatchObject({ code: 'CONFIG_NOT_SAVED' });
    expect(readFileSync(path, 'utf8')).toBe('[Unit]\n');
  });
});
