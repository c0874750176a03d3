// The checklist of production names checks of the audit; each of them must exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allChecks } from '../../src/security/all-checks.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/production.md'), 'utf8');
const named = [...page.matchAll(/\(([^)]*`[^)]*)\)/g)].flatMap(([, inside]) =>
  [...(inside ?? '').matchAll(/`([a-z]+\.[a-z-]+)`/g)].map(([, id]) => id),
);

it('the checklist of production names checks that exist', () => {
  const ids = allChecks.map(({ id }) => id);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(id => id !== undefined && !ids.includes(id))).toEqual([]);
});
