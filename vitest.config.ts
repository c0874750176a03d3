import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { matrixReporter } from './test/conformance/matrix-reporter.ts';
import { platformMatrix } from './test/conformance-platforms/suite-mark.ts';
import { seedReporter } from './test/random.ts';
import { testFiles } from './test/test-files.ts';

type ProjectTests = NonNullable<UserWorkspaceConfig['test']>;

/** Files of the real tests share engines and take turns, unless scripts/real.ts says that so many have none in common. */
const workers = (ordinarily: number): number => Number(process.env['HERMES_TEST_WORKERS'] ?? ordinarily);

const real: ProjectTests = {
  globalSetup: ['test/services/global-setup.ts'],
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 600_000,
  // A limit only ends a hang: what is waited for comes at once, but a loaded machine takes longer.
  expect: { poll: { timeout: 50_000 } },
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
          testTimeout: 60_000,
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
