// Runs the checks against platforms that are broken on purpose: each must fail exactly what it is said to fail.
import { describe, expect, it } from 'vitest';
import { hastyClock } from '../fixtures/hasty-clock.ts';
import { PATIENCE_MS } from '../wait.ts';
import { type BrokenPlatform, brokenPlatforms } from './broken-platforms.ts';
import { allProofs } from './checks/all-proofs.ts';
import { column } from './columns/telegram.ts';
import { families, requirements } from './requirements.ts';
import { Trial } from './trial.ts';
import type { Proof } from './verifies.ts';

/** For what must fail: some of it fails by waiting in vain. What must pass gets the patience of all tests. */
const SHORT_MS = 4_000;

describe('a platform that', () => {
  it.for(brokenPlatforms)('$name fails exactly what it is said to', async broken => {
    const proofs = allProofs.filter(({ id }) => broken.families.some(family => id in families[family]));
    const outcomes = await Promise.all(proofs.map(proof => prove(broken, proof)));
    const failed = outcomes.filter(outcome => outcome !== undefined);
    const reasons = failed.map(({ id, reason }) => `${id}: ${reason}`).join('\n');
    expect(failed.map(({ id }) => id).toSorted(), reasons).toEqual(broken.fails.toSorted());
  });
});

it('every requirement has one proof', () => {
  expect(allProofs.map(({ id }) => id).toSorted()).toEqual([...requirements.keys()].toSorted());
});

async function prove(
  { spoil, fails }: BrokenPlatform,
  { id, check }: Proof,
): Promise<{ id: string; reason: string } | undefined> {
  const patienceMs = fails.includes(id) ? SHORT_MS : PATIENCE_MS;
  const trial = new Trial({ ground: await column.open({ clock: hastyClock }), spoil, patienceMs });
  try {
    await trial.within(check(trial), 'the check to end');
    return undefined;
  } catch (error) {
    return { id, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await trial.close();
  }
}
