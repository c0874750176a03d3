// Vitest's global setup of the real tests: offers the services, and at the end stops them and looks for leftovers.
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { StopReport } from './host.ts';
import { endWorkers } from './leftovers.ts';
import { openServiceRun } from './service-run.ts';
import { onInterrupt } from './signals.ts';
import type {} from './use-service.ts';

/** Long enough to stop every service one after the other. */
const teardownTimeoutMs = 180_000;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = await openServiceRun(say);
  project.provide('servicesSocket', run.socket);
  project.provide('servicesTmpDir', run.tmpDir);
  project.provide('servicesCacheDir', run.cacheDir);
  project.config.setupFiles.push(fileURLToPath(new URL('setup-file.ts', import.meta.url)));
  project.vitest.config.teardownTimeout = Math.max(project.vitest.config.teardownTimeout, teardownTimeoutMs);

  // Vitest may close the run as well while a signal's closing is under way.
  const putBack = onInterrupt(async signal => {
    say(`${signal}: stopping the services`);
    await endWorkers();
    // Tests that were cut off cannot have cleaned up: what they left is removed, but not held against them.
    const { failures } = await run.close();
    for (const failure of failures) say(failure);
  });
  return async () => {
    try {
      complain(await run.close());
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

function say(text: string): void {
  process.stderr.write(`[services] ${text}\n`);
}
