// `npm run soak`: a storm on bubblewrap and one on docker (test/storm), then gateways that are killed fifty times at random moments, 200 sessions over 20 sandboxes on bubblewrap and on
// docker, a hundred people on five messengers, ten thousand strangers. The tests themselves do all of it on a smaller scale
// (test/soak.ts); HERMES_SOAK_KILLS gives another number of kills. HERMES_STORM_BACKENDS, _KILLS, _CHATS and _SECONDS change the
// storms. The seed is printed; HERMES_SEED repeats it. Files can be named: `npm run soak -- test/integration/storm`.
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const KILLS = '50';
const FILES = [
  'test/integration/storm/storm.test.ts',
  'test/integration/sessions/kill.test.ts',
  'test/integration/sessions/many.test.ts',
  'test/integration/gateway/kill.test.ts',
  'test/integration/platforms/all-at-once.test.ts',
  'test/integration/scenario/crowd.test.ts',
];

process.env['HERMES_SOAK_KILLS'] ??= KILLS;
const named = process.argv.slice(2);
const vitest = await startVitest('test', named.length > 0 ? named : FILES, {
  root: join(import.meta.dirname, '..'),
  project: ['real'],
  run: true,
});
await vitest.close();
