// A sandbox of which nothing is under way any more. What the sweeper or another process has begun is waited for: there
// are files in it.
import { sleep } from '../base/clock.ts';
import { HermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { SandboxLife } from './life.ts';
import type { SandboxWorld } from './world.ts';

/** How often it is looked whether what is under way is over. */
const SETTLING_MS = 50;

/** Throws UNAVAILABLE_BACKEND when what was cut off cannot be brought to an end now. */
export async function settled(
  { store, clock }: SandboxWorld,
  life: SandboxLife,
  found: LedgerEntry,
  signal: AbortSignal | undefined,
): Promise<LedgerEntry> {
  const again = async (): Promise<LedgerEntry> =>
    (await store.ledger.find(found.id)) ?? { ...found, state: 'gone' };
  const isCutOff = ({ deadline }: LedgerEntry): boolean => (deadline ?? 0) <= clock.now();
  let entry = found;
  while (isUnderWay(entry)) {
    if (!isCutOff(entry)) await sleep(clock, SETTLING_MS, signal);
    else if (!(await life.suspend(entry))) {
      entry = await again();
      if (isUnderWay(entry) && isCutOff(entry)) throw stuck(entry);
    }
    entry = await again();
  }
  return entry;
}

function isUnderWay({ state }: LedgerEntry): boolean {
  return state === 'suspending' || state === 'resuming';
}

function stuck({ id, state, problem }: LedgerEntry): HermesError {
  const message = `The sandbox ${id} is ${state}, and that cannot be brought to an end now: ${problem ?? 'no reason is known'}. Its files are kept; try again.`;
  return new HermesError('UNAVAILABLE_BACKEND', message, { details: { id, state } });
}
