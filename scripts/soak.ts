// `npm run soak`: a gateway that is killed fifty times at random moments, on bubblewrap and on docker. The tests themselves
// do it a few times; HERMES_SOAK_KILLS gives another number.
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const KILLS = '50';

process.env['HERMES_SOAK_KILLS'] ??= KILLS;
const vitest = await startVitest('test', ['test/integration/sessions/kill.test.ts'], {
  root: join(import.meta.dirname, '..'),
  project: ['real'],
  run: true,
});
await vitest.close();
