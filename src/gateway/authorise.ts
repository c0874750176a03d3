// Who may talk to the agent. Pure, and asked before anything else happens with a message (P1). Ids are compared whole and
// exactly: 12345@evil.example is not 12345.

/** What the configuration says about the people of one platform. */
export interface PeopleRules {
  readonly allowAll: boolean;
  readonly allowAllEverywhere: boolean;
  /** Of this platform: ids, or with its name. */
  readonly allowed: readonly string[];
  /** Of all platforms, so always with the name of one: the same id is somebody else on another. */
  readonly allowedEverywhere: readonly string[];
}

/** What somebody has decided about this very person; absent = nothing. */
export interface PersonDecision {
  readonly standing: 'allowed' | 'denied';
  readonly role: 'owner' | 'user';
}

export interface PersonInQuestion {
  readonly platform: string;
  readonly userId: string;
  /** Other ids of theirs: a list may name any of them. */
  readonly sameAs?: readonly string[];
  /** About any of these ids. */
  readonly decision?: PersonDecision | undefined;
}

export type Authorisation =
  | {
      readonly allowed: true;
      readonly role: 'owner' | 'user';
      readonly because: 'allow-all' | 'decided' | 'listed';
    }
  | { readonly allowed: false; readonly because: 'denied' | 'unknown' };

/** Longer than any id that a platform gives; what is longer, or cannot be written down, is nobody. */
const LONGEST_ID = 256;

/** The first that holds: denied, everybody is allowed, allowed, listed. Else not. */
export function authorise(person: PersonInQuestion, rules: PeopleRules): Authorisation {
  const { platform, userId, sameAs = [], decision } = person;
  if (!isUserId(userId)) return { allowed: false, because: 'denied' };
  if (decision?.standing === 'denied') return { allowed: false, because: 'denied' };
  const role = decision?.role ?? 'user';
  if (rules.allowAll || rules.allowAllEverywhere) return { allowed: true, role, because: 'allow-all' };
  if (decision?.standing === 'allowed') return { allowed: true, role, because: 'decided' };
  const isListed = [userId, ...sameAs].some(
    id =>
      rules.allowed.some(entry => names(entry, platform, id)) ||
      rules.allowedEverywhere.includes(`${platform}:${id}`),
  );
  return isListed
    ? { allowed: true, role: 'user', because: 'listed' }
    : { allowed: false, because: 'unknown' };
}

/** Whether an id can be one: not empty, on one line, and possible to write down on every database. */
export function isUserId(id: string): boolean {
  return id !== '' && id.length <= LONGEST_ID && id.isWellFormed() && !/\p{Cc}/u.test(id);
}

/**
 * An entry with a colon is a platform and an id, and means nobody else: otherwise somebody whose id on one platform reads
 * `telegram:123` would pass for 123 on the other.
 */
function names(entry: string, platform: string, userId: string): boolean {
  return entry.includes(':') ? entry === `${platform}:${userId}` : entry === userId;
}
