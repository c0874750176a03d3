// The manifest: what every backend must do, by id. Tests cite the ids; the matrix and docs/backends/conformance.md
// have one row for each.
import type { Mode, Requirement, RequirementGroup } from './requirement.ts';
import { background, cancel, concurrency, crash, cwd, kill } from './requirements/commands.ts';
import { exit, output, script, signal, stdin } from './requirements/results.ts';
import { env, files, life, persistent, spawn } from './requirements/sandboxes.ts';

/** By family; the family is the first word of the id. */
export const families = {
  spawn,
  exit,
  signal,
  kill,
  cancel,
  crash,
  output,
  stdin,
  script,
  background,
  concurrency,
  cwd,
  persistent,
  files,
  env,
  life,
} as const satisfies Record<string, RequirementGroup>;

export type Family = keyof typeof families;

type IdsOf<F> = F extends Family ? keyof (typeof families)[F] & string : never;
export type RequirementId = IdsOf<Family>;

export const requirements: ReadonlyMap<string, Requirement> = new Map(
  Object.values(families).flatMap((group: RequirementGroup) => Object.entries(group)),
);

export function requirementOf(id: string): Requirement {
  const requirement = requirements.get(id);
  if (!requirement) throw new Error(`${id} is not in the manifest of requirements`);
  return requirement;
}

export function familyOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** The modes in which it is proved; where the mode makes no difference, one-shot stands for both. */
export function modesOf({ modes }: Requirement): readonly Mode[] {
  if (modes === 'both') return ['one-shot', 'persistent'];
  return [modes === 'any' ? 'one-shot' : modes];
}
