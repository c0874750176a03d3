// `npm test`: the check, then everything that uses real components (test/services brings them up).
import { runSteps } from './steps.ts';

await runSteps([
  { name: 'check', command: ['node', 'scripts/check.ts'] },
  { name: 'real components', command: ['node', 'scripts/real.ts'] },
]);
