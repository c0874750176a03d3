import { availableParallelism } from 'node:os';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { matrixReporter } from './test/conformance/matrix-reporter.ts';
import { platformMatrix } from './test/conformance-platforms/suite-mark.ts';
import { seedReporter } from './test/random.ts';
import { testFiles } from './test/test-files.ts';
import { PATIENCE_MS } from './test/wait.ts';

type ProjectTests = NonNullable<UserWorkspaceConfig['test']>;

/** Files of the real tests share engines and take turns, unless scripts/real.ts says that so many have none in common. */
const workers = (ordinarily: number): number => Number(process.env['HERMES_TEST_WORKERS'] ?? ordinarily);

/** They only end hangs: what is waited for comes at once, but a loaded machine takes longer. */
const limits = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: PATIENCE_MS } },
} as const satisfies ProjectTests;

const real: ProjectTests = {
  globalSetup: ['test/services/global-setup.ts'],
  pool: 'forks',
  ...limits,
  // A service is installed and started in a hook.
  hookTimeout: 600_000,
};

export default defineConfig({
  test: {
    // A matrix appears after runs that had tests of its conformance suite.
    reporters: [
      'default',
      seedReporter(text => console.log(text)),
      matrixReporter(text => console.log(text)),
      matrixReporter(text => console.log(text), platformMatrix),
    ],
    teardownTimeout: 180_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: testFiles.unit,
          pool: 'forks',
          // No module has state, so files may share a process; most of the time went into starting them.
          isolate: false,
          // Vitest would leave one core to itself, which has little to do.
          maxWorkers: availableParallelism(),
          ...limits,
        },
      },
      {
        test: {
          name: 'real',
          include: testFiles.real,
          ...real,
          maxWorkers: workers(1),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: testFiles.conformance,
          ...real,
          maxWorkers: workers(2),
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
