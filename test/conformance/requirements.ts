// The manifest: what every backend must do, by id. Tests cite the ids; the matrix and docs/backends/conformance.md
// have one row for each.
import { background, cancel, concurrency, cwd, kill } from './requirements/commands.ts';
import { exit, output, script, signal, stdin } from './requirements/results.ts';
import { env, files, life, persistent, spawn } from './requirements/sandboxes.ts';

/** How a command is run; a requirement for `both` is proved in each. */
export type Mode = 'one-shot' | 'persistent';

/** What a requirement can depend on: a capability of the backend that is a yes or no. */
export type Need = 'ownProcesses' | 'survivesGateway' | 'suspend' | 'snapshot';

/** The promises of the design that tests of this suite prove. */
export type PromiseId = 'P6' | 'P7' | 'P9' | 'P10' | 'P11';

export interface Requirement {
  /** Ends the sentence "it …". */
  readonly text: string;
  /** `any`: the mode makes no difference. */
  readonly modes: Mode | 'both' | 'any';
  readonly needs?: Need;
  readonly promises?: readonly PromiseId[];
}

export type RequirementGroup = Readonly<Record<string, Requirement>>;

/** By family; the family is the first word of the id. */
export const families = {
  spawn,
  exit,
  signal,
  kill,
  cancel,
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
