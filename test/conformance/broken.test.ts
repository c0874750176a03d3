// Runs the checks against drivers that are broken on purpose: each must fail exactly what it is said to fail.
import { beforeAll, describe, expect, it } from 'vitest';
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

// All at the same time, since most of it is waiting, and before any test: an assertion that fails in one of them, as it should, would
// be counted against whichever test runs just then.
let failures: ReadonlyMap<string, Failures>;
beforeAll(async () => {
  const ground = await column.open();
  try {
    const found = brokenDrivers.map(async driver => [driver.name, await failuresOf(driver, ground)] as const);
    failures = new Map(await Promise.all(found));
  } finally {
    await ground.close();
  }
});

describe('a driver that', () => {
  it.for(brokenDrivers)('$name fails exactly what it is said to', ({ name, fails }) => {
    const failed = failures.get(name) ?? new Map();
    const reasons = [...failed].map(([id, reason]) => `${id}: ${reason}`).join('\n');
    expect([...failed.keys()].toSorted(), reasons).toEqual(fails.toSorted());
  });
});

/** By requirement: why. */
type Failures = ReadonlyMap<string, string>;

async function failuresOf(driver: BrokenDriver, ground: Ground): Promise<Failures> {
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
  return failed;
}

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
