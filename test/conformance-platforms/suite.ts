// Runs every requirement against one platform. A platform of somebody else is proved in the same way: with a column.
import { describe, expect, it } from 'vitest';
import type { CellMark } from '../conformance/suite-mark.ts';
import { hastyClock } from '../fixtures/hasty-clock.ts';
import { PATIENCE_MS } from '../wait.ts';
import { allProofs } from './checks/all-proofs.ts';
import type { Column } from './column.ts';
import { type Need, type Requirement, requirements } from './requirements.ts';
import type {} from './suite-mark.ts';
import { Trial } from './trial.ts';
import type { Proof } from './verifies.ts';

export function platformSuite(column: Column): void {
  describe(column.name, () => {
    it('declares the capabilities and has the powers of its column', async () => {
      const ground = await column.open({ clock: hastyClock });
      const trial = new Trial({ ground, patienceMs: PATIENCE_MS });
      try {
        expect(trial.platform().capabilities).toEqual(column.capabilities);
        const always = ['say', 'seen', 'whenSeen'];
        const powers = Object.keys(ground.peer).filter(name => !always.includes(name));
        expect(powers.toSorted()).toEqual(column.powers.toSorted());
      } finally {
        await trial.close();
      }
    });

    for (const [id, requirement] of requirements) {
      const meta = (extra: Partial<CellMark> = {}) => ({
        platformConformance: { column: column.name, id, ...extra },
      });
      const missing = missingFor(requirement, column);
      if (missing !== undefined) {
        const title = `${id} n/a: needs ${missing}`;
        it(title, { meta: meta({ notApplicable: true }) }, ({ skip }) => skip(title));
        continue;
      }
      const proof = allProofs.find(each => each.id === id);
      it(titleOf(id, requirement), { meta: meta() }, async () => {
        if (!proof) throw new Error(`not proved: no test verifies ${id}`);
        await prove(column, proof);
      });
    }
  });
}

async function prove(column: Column, { check }: Proof): Promise<void> {
  const trial = new Trial({ ground: await column.open({ clock: hastyClock }), patienceMs: PATIENCE_MS });
  try {
    await trial.within(check(trial), 'the check to end');
  } finally {
    await trial.close();
  }
}

/** What the column lacks for it. */
function missingFor({ needs = [] }: Requirement, column: Column): Need | undefined {
  const has = (need: Need): boolean =>
    need in column.capabilities
      ? Boolean(column.capabilities[need as keyof Column['capabilities']]) // it is one of its keys
      : column.powers.some(power => power === need);
  return needs.find(need => !has(need));
}

function titleOf(id: string, { text, promises = [] }: Requirement): string {
  return `${id} ${text}${promises.length > 0 ? ` [${promises.join(' ')}]` : ''}`;
}
