// What the state of a sandbox in the cloud means to us.

/**
 * `ready`: commands can run. `soon`: it is on its way somewhere, look again. `asleep`: a start makes it ready. `failed`: it
 * will never be ready by itself. `gone`: nothing is left of it, or soon will not be.
 */
export type Condition = 'ready' | 'soon' | 'asleep' | 'failed' | 'gone';

const CONDITIONS: Readonly<Record<string, Condition>> = {
  started: 'ready',
  stopped: 'asleep',
  archived: 'asleep',
  paused: 'asleep',
  error: 'failed',
  build_failed: 'failed',
  destroyed: 'gone',
  destroying: 'gone',
};

/** A state that nobody knows yet is waited for, within the limits. */
export function conditionOf(state: string | undefined): Condition {
  return CONDITIONS[state ?? ''] ?? 'soon';
}

/** Nothing runs in it, so no cores and no memory are billed. */
export function isResting(state: string | undefined): boolean {
  return conditionOf(state) === 'asleep' || state === 'archiving';
}
