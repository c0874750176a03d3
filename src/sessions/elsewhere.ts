// An engine that answers and knows nothing of what the ledger says it has: another one at the same address, or a folder
// that is not mounted. What it does not know is not lost then.
import type { SandboxRef } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';

/** So many are hardly removed from outside at once. */
const MANY = 3;
const LASTING_STATES: readonly LedgerEntry['state'][] = ['ready', 'leased', 'suspended'];

/** In words, or undefined. `rows`: those of this engine that were in the ledger before it was asked. */
export function whyElsewhere(refs: readonly SandboxRef[], rows: readonly LedgerEntry[]): string | undefined {
  const lasting = rows.filter(({ state }) => LASTING_STATES.includes(state));
  if (refs.length > 0 || lasting.length < MANY) return undefined;
  return `it knows none of the ${lasting.length} sandboxes in the ledger. Is it the engine that made them? They are kept until their sessions need them.`;
}
