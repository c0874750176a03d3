// `npm run soak`: a gateway that is killed fifty times at random moments, and 200 sessions over 20 sandboxes, on bubblewrap
// and on docker. The tests themselves do both on a smaller scale; HERMES_SOAK_KILLS gives another number of kills.
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const KILLS = '50';

process.env['HERMES_SOAK_KILLS'] ??= KILLS;
const vitest = await startVitest(
  'test',
  ['test/integration/sessions/kill.test.ts', 'test/integration/sessions/many.test.ts'],
  {
    root: join(import.meta.dirname, '..'),
    project: ['real'],
    run: true,
  },
);
await vitest.close();
