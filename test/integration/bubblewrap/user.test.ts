// The bubblewrap backend for an ordinary user: the same containment, less enforcement, all of it in the user's own folder.
import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';

const USER = 12_345;
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs as another user; prints what was seen from inside and outside. */
const script = (home: string): string => `
  const { makeBackend } = await import(${url('./ground.ts')});
  const { systemClock } = await import(${url('../../../src/base/clock.ts')});
  const { SandboxHandle } = await import(${url('../../../src/index.ts')});
  const { readdirSync } = await import('node:fs');
  const home = ${JSON.stringify(home)};
  const backend = await makeBackend(home);
  const problems = await backend.check();
  const limits = { processes: 48, memoryMiB: 256 };
  const spec = { id: 'user', installation: 'test', limits, mounts: [], env: {}, persistent: true };
  const sandbox = await backend.create(spec);
  const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
  const run = async command => (await handle.exec(command)).stdout.trim();
  const seen = {
    problems,
    enforcement: sandbox.enforcement,
    id: await run('id -u'),
    status: await run('grep -E "CapEff|NoNewPrivs|Seccomp:|Uid" /proc/self/status'),
    canary: await run('cat ' + home + '/canary 2>&1 | tail -c 26'),
    unshare: await run('unshare -U true 2>/dev/null || echo refused'),
    setting: await run('(exec 5>>/proc/sys/kernel/core_pattern) 2>/dev/null || echo refused'),
    forks: await run("perl -e 'while (defined(my $p = fork)) { $p or sleep(5), exit; last if ++$n > 100 } print $n'"),
    kept: await run('mkdir -p closed/inner; chmod 0 closed; echo kept >note; echo ok'),
  };
  await backend.close();
  const again = await makeBackend(home);
  const attached = await again.attach(sandbox.ref);
  const second = await SandboxHandle.open({ sandbox: attached, clock: systemClock });
  seen.again = (await second.exec('cat note')).stdout.trim();
  await second.destroy();
  seen.left = readdirSync(home);
  console.log(JSON.stringify(seen));`;

describeWith('bubblewrap', () => {
  let home: string;
  beforeEach(async () => {
    // Below a folder that everybody can pass.
    home = await mkdtemp(join(tmpdir(), 'user-'));
    await chown(home, USER, USER);
  });
  afterEach(() => rm(home, { recursive: true }));

  it.skipIf(process.getuid?.() !== 0)('serves an ordinary user', { timeout: 60_000 }, async () => {
    const flags = ['--reuid', String(USER), '--regid', String(USER), '--clear-groups', '--'];
    const args = [...flags, process.execPath, '--input-type=module', '-e', script(home)];
    const { stdout } = await promisify(execFile)('setpriv', args, { cwd: '/', timeout: 50_000 });
    const seen = JSON.parse(stdout) as Record<string, unknown>; // printed by the script above
    expect(seen).toMatchObject({
      problems: [],
      enforcement: { cpus: 'none', memory: 'soft', disk: 'soft', processes: 'enforced' },
      id: '1000',
      canary: 'No such file or directory',
      unshare: 'refused',
      setting: 'refused',
      kept: 'ok',
      again: 'kept',
      left: [],
    });
    expect(seen['status']).toMatch(/CapEff:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2/);
    expect(Number(seen['forks'])).toBeLessThan(48);
    expect(Number(seen['forks'])).toBeGreaterThan(10);
  });
});
