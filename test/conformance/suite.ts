// Runs every requirement against one backend. A backend of somebody else is proved in the same way: with a column.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { isCi } from '../services/required.ts';
import { NotAvailable } from '../services/service.ts';
import { PATIENCE_MS } from '../wait.ts';
import { allProofs } from './checks/all-proofs.ts';
import type { Column, Ground } from './column.ts';
import type { Mode, Requirement } from './requirement.ts';
import { modesOf, requirements } from './requirements.ts';
import { isInSample, isSampled } from './sample.ts';
import type { CellMark } from './suite-mark.ts';
import { NotProvable, Trial } from './trial.ts';
import type { Proof } from './verifies.ts';

/** Only ends a hang. */
const TEST_MS = 60_000;

/** Registers the tests of a column. Where it cannot run they are skipped and say why; in CI required ones fail. */
export function conformanceSuite(column: Column): void {
  describe(column.name, () => {
    let ground: Ground | undefined;
    let notRun: string | undefined;
    beforeAll(async () => {
      try {
        ground = await column.open();
      } catch (error) {
        if (!(error instanceof NotAvailable) || (column.required && isCi())) throw error;
        notRun = `not run: ${column.name}: ${error.message}`;
      }
    });
    afterAll(() => ground?.close());

    it('declares the capabilities of its column', ({ expect, skip }) => {
      if (notRun !== undefined) skip(notRun);
      expect(ground?.backend.capabilities).toEqual(column.capabilities);
    });

    let at = 0;
    for (const [row, [id, requirement]] of [...requirements].entries()) {
      const meta = (extra: Partial<CellMark> = {}) => ({
        conformance: { column: column.name, id, ...extra },
      });
      const proofs = allProofs.filter(proof => proof.id === id);
      if (!isApplicable(requirement, column)) {
        const title = `${id} n/a: needs ${requirement.needs}`;
        it(title, { meta: meta({ notApplicable: true }) }, ({ skip }) => skip(title));
        continue;
      }
      if (proofs.length === 0) {
        it(`${id} is not proved`, { meta: meta() }, () => {
          throw new Error(`not proved: no test verifies ${id}`);
        });
      }
      const modes = modesOf(requirement);
      for (const [place, mode] of modes.entries()) {
        for (const proof of proofs) {
          const check = { id, at: at++, row, mode: modes.length > 1 ? place : undefined };
          if (isSampled() && !isInSample(column, check)) continue;
          it(titleOf(proof, requirement, mode), {
            meta: meta(),
            timeout: requirement.isLong ? 5 * TEST_MS : TEST_MS,
          }, async ({ skip }) => {
            if (ground === undefined) return skip(notRun);
            const reason = await prove(ground, proof, mode);
            if (reason !== undefined) skip(`not run: ${reason}`);
          });
        }
      }
    }
  });
}

/** Throws when the proof fails; a text says why it could not be tried. */
async function prove(ground: Ground, { check }: Proof, mode: Mode): Promise<string | undefined> {
  const trial = new Trial({ ground, mode, patienceMs: PATIENCE_MS });
  try {
    await check(trial);
    return undefined;
  } catch (error) {
    if (error instanceof NotProvable) return error.message;
    throw error;
  } finally {
    await trial.close();
  }
}

export function isApplicable(
  { needs }: Requirement,
  { capabilities }: Pick<Column, 'capabilities'>,
): boolean {
  return needs === undefined || capabilities[needs];
}

function titleOf({ id, title }: Proof, { text, modes, promises = [] }: Requirement, mode: Mode): string {
  const parts = [`${id}${modes === 'both' ? ` (${mode})` : ''} ${text}`];
  if (title !== undefined) parts.push(`: ${title}`);
  if (promises.length > 0) parts.push(` [${promises.join(' ')}]`);
  return parts.join('');
}
