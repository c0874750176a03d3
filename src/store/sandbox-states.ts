// The states of a sandbox in the ledger, and which may follow which. Pure.

/**
 * `creating`, `suspending`, `resuming` and `destroying` are written down before the engine is asked, so that a crash in
 * between leaves a row that says what was under way. `failed` is lost or could not be made; it may have left remains,
 * and is destroyed like any other. `gone`: nothing of it exists.
 */
export type SandboxState =
  | 'creating'
  | 'ready'
  | 'leased'
  | 'suspending'
  | 'suspended'
  | 'resuming'
  | 'destroying'
  | 'gone'
  | 'failed';

/** States that a caller may move a sandbox to. `leased` is not among them: it comes and goes with leases. */
export type NextState = Exclude<SandboxState, 'creating' | 'leased'>;

/** From `leased` a sandbox can only fail: nothing suspends or destroys what somebody holds (P5). */
const PREDECESSORS: Readonly<Record<NextState, readonly SandboxState[]>> = {
  ready: ['creating', 'resuming', 'suspending'],
  // One whose suspension or waking was cut off is suspended anew.
  suspending: ['ready', 'suspending', 'resuming'],
  suspended: ['suspending', 'resuming'],
  resuming: ['suspended'],
  destroying: ['creating', 'ready', 'suspending', 'suspended', 'resuming', 'failed'],
  gone: ['destroying'],
  failed: ['creating', 'ready', 'leased', 'suspending', 'suspended', 'resuming'],
};

/** The states in which a sandbox belongs to its session; a session has at most one such. */
export const LIVE_STATES: readonly SandboxState[] = [
  'creating',
  'ready',
  'leased',
  'suspending',
  'suspended',
  'resuming',
];

/** The states in which something of it may exist. */
export const EXISTING_STATES: readonly SandboxState[] = [...LIVE_STATES, 'destroying', 'failed'];

export function predecessorsOf(next: NextState): readonly SandboxState[] {
  return PREDECESSORS[next];
}
