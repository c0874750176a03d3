// `npm run soak`: gateways that are killed fifty times at random moments, 200 sessions over 20 sandboxes on bubblewrap and on
// docker, a hundred people on five messengers, ten thousand strangers. The tests themselves do all of it on a smaller scale
// (test/soak.ts); HERMES_SOAK_KILLS gives another number of kills.
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const KILLS = '50';

process.env['HERMES_SOAK_KILLS'] ??= KILLS;
const vitest = await startVitest(
  'test',
  [
    'test/integration/sessions/kill.test.ts',
    'test/integration/sessions/many.test.ts',
    'test/integration/gateway/kill.test.ts',
    'test/integration/platforms/all-at-once.test.ts',
    'test/integration/scenario/crowd.test.ts',
  ],
  {
    root: join(import.meta.dirname, '..'),
    project: ['real'],
    run: true,
  },
);
await vitest.close();
