// Ties checks to the manifest. A check is a plain function that throws, so that it can be run by Vitest for a real platform,
// and by hand for a broken one.
import { type RequirementId, requirementOf } from './requirements.ts';
import type { Trial } from './trial.ts';

export interface Proof {
  readonly id: RequirementId;
  readonly check: (trial: Trial) => Promise<void>;
}

/** One proof for each id. An id that is not in the manifest throws. */
export function proofs(checks: Partial<Record<RequirementId, Proof['check']>>): readonly Proof[] {
  // The keys are those of the type.
  return (Object.keys(checks) as RequirementId[]).flatMap(id => {
    requirementOf(id);
    const check = checks[id];
    return check ? [{ id, check }] : [];
  });
}
