// `npm test`: the check, the most important ratios of the bench, then everything that uses real components (test/services
// brings them up).
import { runSteps } from './steps.ts';

await runSteps([
  { name: 'check', command: ['node', 'scripts/check.ts'] },
  { name: 'speed', command: ['node', 'bench/main.ts', '--check', '--short'] },
  { name: 'real components', command: ['node', 'scripts/real.ts'] },
]);
