import { defineConfig } from 'vitest/config';
import { matrixReporter } from './test/conformance/matrix-reporter.ts';
import { platformMatrix } from './test/conformance-platforms/suite-mark.ts';

// Two projects: `unit` needs nothing but Node; `real` uses the real components of test/services.
export default defineConfig({
  test: {
    // A matrix appears after runs that had tests of its conformance suite.
    reporters: [
      'default',
      matrixReporter(text => console.log(text)),
      matrixReporter(text => console.log(text), platformMatrix),
    ],
    teardownTimeout: 180_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/{architecture,docs}/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 5_000,
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/{services,integration,conformance,conformance-platforms,containment}/**/*.test.ts'],
          globalSetup: ['test/services/global-setup.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
