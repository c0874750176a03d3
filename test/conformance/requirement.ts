// What a requirement is: a behaviour, the modes in which it is proved, and what it depends on.

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
  /** It moves so much that a busy machine takes minutes; its tests may take five times as long. */
  readonly isLong?: true;
  readonly promises?: readonly PromiseId[];
}

export type RequirementGroup = Readonly<Record<string, Requirement>>;
