// What somebody at the page may do: owners everything, others talk, and who is kept out nothing.
import type { Visitor } from '../platforms/platform.ts';
import type { Store } from '../store/store.ts';

export type Standing = 'owner' | 'user' | 'denied';

/** As it stands now: a cookie says who somebody is, not what they may do. */
export async function standingOf(
  { people }: Pick<Store, 'people'>,
  { platform, id }: Visitor,
): Promise<Standing> {
  const person = await people.find({ platform, userId: id });
  if (person?.standing === 'denied') return 'denied';
  return person?.role === 'owner' ? 'owner' : 'user';
}

/** For audit and approvals. */
export function actorOf({ platform, id }: Visitor): string {
  return `${platform}:${id}`;
}
