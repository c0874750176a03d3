// `npm run check`: every rule that needs nothing but Node, in under a minute.
import { runSteps } from './steps.ts';

await runSteps([
  { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types of the page', command: ['tsc', '-p', 'src/dashboard/page'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'unit tests and architecture', command: ['vitest', 'run', '--project', 'unit'] },
]);
