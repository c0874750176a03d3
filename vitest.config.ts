import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { matrixReporter } from './test/conformance/matrix-reporter.ts';
import { platformMatrix } from './test/conformance-platforms/suite-mark.ts';
import { seedReporter } from './test/random.ts';

// `unit` needs nothing but Node; `real` and `conformance` use the real components of test/services. The columns of the
// conformance suite have nothing in common but waiting, so two run at a time; the other files restart engines.
type ProjectTests = NonNullable<UserWorkspaceConfig['test']>;

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
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/{architecture,docs,mutations}/**/*.test.ts'],
          pool: 'forks',
          // No module has state, so files may share a process; most of the time went into starting them.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          include: [
            'test/{services,integration,conformance-platforms,containment}/**/*.test.ts',
            // They look at what others have.
            'test/conformance/{broken,matrix}.test.ts',
          ],
          ...real,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/*columns.test.ts'],
          ...real,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
