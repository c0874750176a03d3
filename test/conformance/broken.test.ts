// Runs the checks against drivers that are broken on purpose: each must fail exactly what it is said to fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Sandbox } from '../../src/index.ts';
import { PATIENCE_MS, within } from '../wait.ts';
import { type BrokenDriver, brokenDrivers } from './broken-drivers.ts';
import { allProofs } from './checks/all-proofs.ts';
import type { Ground } from './column.ts';
import { column } from './columns/local.ts';
import { familyOf, modesOf, requirementOf } from './requirements.ts';
import { isApplicable } from './suite.ts';
import { NotProvable, Trial } from './trial.ts';
import type { Proof } from './verifies.ts';

/** For what must fail: some of it fails by waiting in vain. What must pass gets the patience of all tests. */
const SHORT_MS = 4_000;

describe.concurrent('a driver that', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await column.open();
  });
  afterAll(() => ground.close());

  it.for(brokenDrivers)('$name fails exactly what it is said to', { timeout: 180_000 }, async driver => {
    const made: Sandbox[] = [];
    const spoiled = { ...ground, backend: driver.spoil(recorded(ground.backend, made), ground) };
    const failed = new Map<string, string>();
    for (const proof of proofsFor(driver)) {
      if (failed.has(proof.id)) continue;
      const patienceMs = driver.fails.includes(proof.id) ? SHORT_MS : PATIENCE_MS;
      const problem = await prove(spoiled, proof, patienceMs);
      if (problem !== undefined) failed.set(proof.id, problem);
      await Promise.all(made.splice(0).map(sandbox => sandbox.destroy()));
    }
    const reasons = [...failed].map(([id, reason]) => `${id}: ${reason}`).join('\n');
    expect([...failed.keys()].toSorted(), reasons).toEqual(driver.fails.toSorted());
  });
});

function proofsFor({ families, leftOut = [] }: BrokenDriver): readonly Proof[] {
  return allProofs.filter(
    ({ id }) =>
      families.some(family => family === familyOf(id)) &&
      !leftOut.includes(id) &&
      isApplicable(requirementOf(id), column),
  );
}

/** Keeps what a backend makes, so that it can be destroyed by a driver that works. */
function recorded(backend: Backend, made: Sandbox[]): Backend {
  return {
    ...backend,
    create: async (spec, options) => {
      const sandbox = await backend.create(spec, options);
      made.push(sandbox);
      return sandbox;
    },
  };
}

/** Why it fails. In the first of its modes only: what a driver breaks, it breaks for both. */
async function prove(ground: Ground, { id, check }: Proof, patienceMs: number): Promise<string | undefined> {
  const [mode = 'one-shot'] = modesOf(requirementOf(id));
  const trial = new Trial({ ground, mode, patienceMs });
  try {
    // Whatever it waits for: longer than any one of its waits.
    await within(check(trial), `the check of ${id} is through`, 2.5 * patienceMs);
    return undefined;
  } catch (error) {
    if (error instanceof NotProvable) return undefined;
    return error instanceof Error ? error.message : String(error);
  } finally {
    await trial.close();
  }
}
