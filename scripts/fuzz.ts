// `npm run fuzz`: the properties of the unit tests, and texts made to be slow, tried much longer than in `npm run check`.
// HERMES_FUZZ gives another factor, HERMES_SEED another start.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const FACTOR = '30';
const MINUTES_PER_TEST = 30;
const root = join(import.meta.dirname, '..');

process.env['HERMES_FUZZ'] ??= FACTOR;
const files = globSync('src/**/*.test.ts', { cwd: root }).filter(file =>
  readFileSync(join(root, file), 'utf8').includes('/test/property.ts'),
);
const vitest = await startVitest('test', files, {
  root,
  project: ['unit'],
  run: true,
  testTimeout: MINUTES_PER_TEST * 60_000,
});
await vitest.close();
