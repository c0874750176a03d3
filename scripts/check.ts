// `npm run check`: every rule that needs nothing but Node, in under a minute. `--changed` checks the inner loop only: the
// files that differ from the last commit, and the unit tests that depend on them.
import type { Step } from './steps.ts';
import { runSteps } from './steps.ts';

const unit = ['vitest', 'run', '--project', 'unit'] as const;
const types: Step = { name: 'types', command: ['tsc', '--noEmit'] };
const typesOfPage: Step = { name: 'types of the page', command: ['tsc', '-p', 'src/dashboard/page'] };

const whole = [
  [
    { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings'] },
    types,
    typesOfPage,
    { name: 'dead code', command: ['knip', '--no-progress'] },
  ],
  { name: 'unit tests and architecture', command: unit },
] as const;
const changed = [
  [
    {
      name: 'format and lint',
      command: [
        'biome',
        'ci',
        '--error-on-warnings',
        '--changed',
        '--since=HEAD',
        '--no-errors-on-unmatched',
      ],
    },
    types,
    typesOfPage,
  ],
  {
    name: 'unit tests of what changed',
    command: [...unit, '--changed', '--passWithNoTests'],
  },
] as const;

await runSteps(process.argv.includes('--changed') ? changed : whole);
