// Vitest's global setup of the real tests: offers the services, and at the end stops them and looks for leftovers.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { ServiceHost, type StopReport } from './host.ts';
import { endWorkers, removeLeftovers, runVariable } from './leftovers.ts';
import { isServiceName, services } from './registry.ts';
import { onInterrupt } from './signals.ts';
import { removeStaleRuns, runPrefix } from './stale-runs.ts';
import type {} from './use-service.ts';
import { listen } from './wire.ts';

/** Long enough to stop every service one after the other. */
const teardownTimeoutMs = 180_000;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runId = `${runPrefix}${randomBytes(4).toString('hex')}`;
  const runDir = join(tmpdir(), runId);
  const tmpDir = join(runDir, 'tmp');
  await removeStaleRuns(tmpdir(), say);
  await mkdir(tmpDir, { recursive: true });
  await writeFile(join(runDir, 'owner'), String(process.pid));
  // Ordinary users of services go through it; the mode that mkdir gives depends on the umask.
  await chmod(runDir, 0o755);
  await chmod(tmpDir, 0o1777);
  // Inherited by workers and by all that they and the services start.
  process.env[runVariable] = runId;

  const host = new ServiceHost({ runId, runDir, cacheDir: cacheDir(), say });
  const server = await listen(join(runDir, 'services'), async name => {
    if (!isServiceName(name)) throw new Error(`there is no service ${name}`);
    return host.addressOf<unknown>(services[name]);
  });
  project.provide('servicesSocket', join(runDir, 'services'));
  project.provide('servicesTmpDir', tmpDir);
  project.provide('servicesCacheDir', cacheDir());
  project.config.setupFiles.push(fileURLToPath(new URL('setup-file.ts', import.meta.url)));
  project.vitest.config.teardownTimeout = Math.max(project.vitest.config.teardownTimeout, teardownTimeoutMs);

  let report: Promise<StopReport> | undefined;
  // Vitest may ask for it as well while a signal's is under way.
  const tearDown = (): Promise<StopReport> => {
    report ??= tearDownNow();
    return report;
  };
  const tearDownNow = async (): Promise<StopReport> => {
    server.close();
    const { leftovers, failures } = await host.stopAll();
    const left = [...leftovers, ...(await removeLeftovers({ runId, runDir, tmpDir }))];
    await rm(runDir, { recursive: true, force: true });
    for (const [name, reason] of host.notAvailable) say(`not run: ${name}: ${reason}`);
    return { leftovers: left, failures };
  };
  const putBack = onInterrupt(async signal => {
    say(`${signal}: stopping the services`);
    await endWorkers();
    // Tests that were cut off cannot have cleaned up: what they left is removed, but not held against them.
    const { failures } = await tearDown();
    for (const failure of failures) say(failure);
  });
  return async () => {
    try {
      complain(await tearDown());
    } finally {
      putBack();
    }
  };
}

/** Throws when something was left or would not stop: Vitest prints that and turns it into a failed run. */
function complain({ leftovers, failures }: StopReport): void {
  const lines = [...failures];
  if (leftovers.length > 0)
    lines.push('tests left something behind (now removed):', ...leftovers.map(it => `  ${it}`));
  if (lines.length > 0) throw new Error(lines.join('\n'));
}

function cacheDir(): string {
  return (
    process.env['HERMES_TEST_CACHE'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hermes-test')
  );
}

function say(text: string): void {
  process.stderr.write(`[services] ${text}\n`);
}
