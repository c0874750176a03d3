// Runs the checks against drivers that are broken on purpose: each must fail exactly what it is said to fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Sandbox } from '../../src/index.ts';
import { type BrokenDriver, brokenDrivers } from './broken-drivers.ts';
import { allProofs } from './checks/all-proofs.ts';
import type { Ground } from './column.ts';
import { column } from './columns/local.ts';
import { familyOf, modesOf, requirementOf } from './requirements.ts';
import { isApplicable } from './suite.ts';
import { NotProvable, Trial } from './trial.ts';
import type { Proof } from './verifies.ts';

const PATIENCE_MS = 4_000;
/** A check that is still not through after this has failed, whatever it waits for. */
const CHECK_MS = 10_000;

describe.concurrent('a driver that', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await column.open();
  });
  afterAll(() => ground.close());

  it.for(brokenDrivers)('$name fails exactly what it is said to', { timeout: 120_000 }, async driver => {
    const made: Sandbox[] = [];
    const spoiled = { ...ground, backend: driver.spoil(recorded(ground.backend, made), ground) };
    const failed = new Map<string, string>();
    for (const proof of proofsFor(driver)) {
      if (!failed.has(proof.id)) await prove(spoiled, proof, failed);
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

/** In the first of its modes only: what a driver breaks, it breaks for both. */
async function prove(ground: Ground, { id, check }: Proof, failed: Map<string, string>): Promise<void> {
  const [mode = 'one-shot'] = modesOf(requirementOf(id));
  const trial = new Trial({ ground, mode, patienceMs: PATIENCE_MS });
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(`not through after ${CHECK_MS} ms`)), CHECK_MS);
  try {
    await Promise.race([check(trial), deadline.promise]);
  } catch (error) {
    if (!(error instanceof NotProvable))
      failed.set(id, error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    await trial.close();
  }
}
