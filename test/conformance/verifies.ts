// Ties checks to the manifest. A check is a plain function that throws, so that it can be run by Vitest for a real
// backend, and by hand for a broken one.
import { type RequirementId, requirementOf } from './requirements.ts';
import type { Trial } from './trial.ts';

export type Check = (trial: Trial) => Promise<void>;

export interface Proof {
  readonly id: RequirementId;
  /** Tells several proofs of one requirement apart. */
  readonly title?: string;
  readonly check: Check;
}

export interface Verifies {
  (id: RequirementId, check: Check): void;
  (id: RequirementId, title: string, check: Check): void;
}

/** Collects the proofs of a family. An id that is not in the manifest throws. */
export function proofs(body: (verifies: Verifies) => void): readonly Proof[] {
  const collected: Proof[] = [];
  const verifies = (id: RequirementId, ...rest: [Check] | [string, Check]): void => {
    requirementOf(id);
    const [title, check] = rest.length === 1 ? [undefined, rest[0]] : rest;
    if (collected.some(proof => proof.id === id && proof.title === title)) {
      throw new Error(`${id} is proved twice${title === undefined ? '' : ` as "${title}"`}`);
    }
    collected.push({ id, check, ...(title === undefined ? {} : { title }) });
  };
  body(verifies);
  return collected;
}
