// Lets strangers in, or keeps them out: by the code that they were given, or by their request. Decisions stand in the
// store, so that the CLI makes them as well as an owner in a chat.
import type { Clock } from '../base/clock.ts';
import type { Pairing } from '../store/pairings.ts';
import type { Repositories, Store } from '../store/store.ts';
import { isCodeOf, readCode } from './pairing-code.ts';
import { afterWrongCode, triesLeft } from './pairing-limits.ts';
import { personOf } from './person-name.ts';

export type CodeOutcome =
  | { readonly kind: 'approved'; readonly pairing: Pairing }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'locked'; readonly until: number };

export interface CodeAttempt {
  readonly platform: string;
  readonly code: string;
  /** Such as `cli`. */
  readonly by: string;
}

/** While approving is locked, the right code is refused as well, and no attempt prolongs the lock. */
export async function approveCode(store: Store, clock: Clock, attempt: CodeAttempt): Promise<CodeOutcome> {
  const { platform, by } = attempt;
  // Outside of the transaction, because it takes time; inside, it is only looked up whether it still counts.
  const id = await matching(await store.pairings.pending(platform), attempt.code);
  return store.transaction(async inside => {
    const now = clock.now();
    const before = await inside.pairings.lockFailures(platform);
    if (before.lockedUntil !== null && before.lockedUntil > now)
      return { kind: 'locked', until: before.lockedUntil };
    const pairing = id === undefined ? undefined : await allowIn(inside, id, by);
    if (pairing) {
      await inside.pairings.setFailures({ ...before, failures: 0, lockedUntil: null });
      return { kind: 'approved', pairing };
    }
    const after = afterWrongCode(before, now);
    await inside.pairings.setFailures(after);
    await record(inside, by, platform, 'wrong code');
    return after.lockedUntil === null
      ? { kind: 'wrong', triesLeft: triesLeft(after) }
      : { kind: 'locked', until: after.lockedUntil };
  });
}

/** Undefined when the request is not there any more. */
export function allowRequest(store: Store, id: string, by: string): Promise<Pairing | undefined> {
  return store.transaction(inside => allowIn(inside, id, by));
}

/** They stay out until somebody decides otherwise, and nobody is asked about them again. */
export function denyRequest(store: Store, id: string, by: string): Promise<Pairing | undefined> {
  return store.transaction(async inside => {
    const pairing = (await inside.pairings.pending()).find(each => each.id === id);
    if (!pairing) return undefined;
    const { platform, userId, name } = pairing;
    await inside.pairings.remove(id);
    await inside.people.decide({ platform, userId, name, role: 'user', standing: 'denied', decidedBy: by });
    await record(inside, by, personOf(pairing), 'denied');
    return pairing;
  });
}

async function allowIn(inside: Repositories, id: string, by: string): Promise<Pairing | undefined> {
  const pairing = await inside.pairings.approve(id, by);
  if (!pairing) return undefined;
  const { platform, userId, name } = pairing;
  await inside.people.decide({ platform, userId, name, role: 'user', standing: 'allowed', decidedBy: by });
  await record(inside, by, personOf(pairing), 'approved');
  return pairing;
}

/** All are compared, whichever it is. */
async function matching(pending: readonly Pairing[], typed: string): Promise<string | undefined> {
  const code = readCode(typed);
  if (code === undefined) return undefined;
  const found = await Promise.all(pending.map(({ codeHash }) => isCodeOf(codeHash, code)));
  return pending[found.indexOf(true)]?.id;
}

function record({ audit }: Repositories, actor: string, subject: string, outcome: string): Promise<unknown> {
  return audit.append({ actor, action: 'pairing', subject: { id: subject }, outcome });
}
