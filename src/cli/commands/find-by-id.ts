// Ids as people type them: as many characters as are needed to tell one from the others.
import { HermesError } from '../../base/errors.ts';
import type { LedgerEntry } from '../../store/ledger.ts';
import type { Session } from '../../store/sessions.ts';
import type { Store } from '../../store/store.ts';

/** More than any installation has. */
const ALL = 10_000_000;
const SHOWN = 10;

interface Sought {
  readonly noun: 'sandbox' | 'session' | 'approval';
  readonly typed: string;
}

const LISTED = {
  sandbox: 'sandbox list --all',
  session: 'session list --all',
  approval: 'approvals list',
} as const;

/** Pure. Throws USAGE_UNKNOWN_ID for none and for several. */
export function pickById<T extends { readonly id: string }>(
  candidates: readonly T[],
  { noun, typed }: Sought,
): T {
  const exact = candidates.find(({ id }) => id === typed);
  if (exact) return exact;
  const found = typed === '' ? [] : candidates.filter(({ id }) => id.startsWith(typed));
  const [first] = found;
  if (first && found.length === 1) return first;
  if (!first) {
    const message = `There is no ${noun} ${JSON.stringify(typed)}. \`hermes ${LISTED[noun]}\` shows those that there are.`;
    throw new HermesError('USAGE_UNKNOWN_ID', message, { details: { noun, id: typed } });
  }
  const ids = found.map(({ id }) => id);
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const message = `${ids.length} ids begin with ${typed}: ${ids.slice(0, SHOWN).join(', ')}${more}. Type more of it.`;
  throw new HermesError('USAGE_UNKNOWN_ID', message, { details: { noun, id: typed, candidates: ids } });
}

/** Also by the name that engines know it by. Those that exist come before those that are gone. */
export async function findSandbox({ ledger }: Store, given: string): Promise<LedgerEntry> {
  const typed = given.replace(/^hermes-/, '');
  const all = await ledger.list();
  const existing = all.filter(({ state }) => state !== 'gone');
  const isOfExisting = existing.some(({ id }) => id.startsWith(typed));
  return pickById(isOfExisting ? existing : all, { noun: 'sandbox', typed });
}

export async function findSession({ sessions }: Store, typed: string): Promise<Session> {
  const exact = await sessions.find(typed);
  return exact ?? pickById(await sessions.list({ which: 'all', limit: ALL }), { noun: 'session', typed });
}

/** The current session of a person, the latest first; in a chat between two the chat is the person. */
export async function findSessionOf(
  { sessions }: Store,
  { platform, user }: { readonly platform: string; readonly user: string },
): Promise<Session | undefined> {
  const current = await sessions.list({ which: 'current', limit: ALL });
  return current.find(session => session.platform === platform && (session.person ?? session.chat) === user);
}
