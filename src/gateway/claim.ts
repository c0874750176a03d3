// The first owner of an installation: whoever sends, in private, the code that the start of the gateway printed. It lives
// in the memory of this gateway only, and is worth nothing once there is an owner.
import type { Clock } from '../base/clock.ts';
import type { PersonRef } from '../store/people.ts';
import type { Store } from '../store/store.ts';
import { isSame, newCode, quickHash, readCode } from './pairing-code.ts';
import { CODE_LIFE_MS } from './pairing-limits.ts';
import { personOf } from './person-name.ts';

/** One person's; many may try, but never so many that one could be lucky. */
const MOST_TRIES = 5;
const MOST_TRIES_OF_ALL = 1000;

export type Ownership = 'owned' | 'claimable' | 'unclaimed';

interface Open {
  readonly hash: Buffer;
  readonly expiresAt: number;
  triesLeft: number;
}

export class OwnerClaim {
  readonly #store: Store;
  readonly #clock: Clock;
  #open: Open | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A new code to print; undefined when there is an owner. An earlier code is not worth anything any more. */
  async open(): Promise<string | undefined> {
    this.#open = undefined;
    if (await hasOwner(this.#store)) return undefined;
    const code = newCode();
    const expiresAt = this.#clock.now() + CODE_LIFE_MS;
    this.#open = { hash: quickHash(code), expiresAt, triesLeft: MOST_TRIES_OF_ALL };
    return code;
  }

  isOpen(): boolean {
    return this.#open !== undefined && this.#open.expiresAt > this.#clock.now() && this.#open.triesLeft > 0;
  }

  /** `unclaimed`: nobody owns it, and no code is open. */
  async ownership(): Promise<Ownership> {
    if (await hasOwner(this.#store)) return 'owned';
    return this.isOpen() ? 'claimable' : 'unclaimed';
  }

  /** Makes the person the owner when the code is right. `tries` are their wrong ones so far. */
  async take(person: PersonRef & { readonly name: string }, typed: string, tries: number): Promise<boolean> {
    const open = this.#open;
    if (!open || !this.isOpen() || tries >= MOST_TRIES) return false;
    open.triesLeft--;
    if (!isSame(quickHash(readCode(typed) ?? ''), open.hash)) return false;
    // At once, so that nobody else can use it while the store is asked.
    this.#open = undefined;
    return this.#store.transaction(async inside => {
      if (await hasOwner(inside)) return false;
      await inside.people.decide({ ...person, role: 'owner', standing: 'allowed', decidedBy: 'claim' });
      await inside.pairings.removeOf(person);
      const subject = personOf(person);
      await inside.audit.append({
        actor: subject,
        action: 'claim',
        subject: { id: subject },
        outcome: 'owner',
      });
      return true;
    });
  }
}

async function hasOwner({ people }: Pick<Store, 'people'>): Promise<boolean> {
  return (await people.list()).some(({ role, standing }) => role === 'owner' && standing === 'allowed');
}

/** What follows `/claim`; undefined when the text is something else. */
export function claimIn(text: string): string | undefined {
  return /^\s*\/claim(?:@\w+)?\s+(.*)$/is.exec(text)?.[1];
}
