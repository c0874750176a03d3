// The first way into a chat that has no accounts of its own: a link for its owner, made by the gateway itself when it starts.
import type { Connection, Invitation } from '../platforms/platform.ts';
import type { Store } from '../store/store.ts';

const OWNER = 'owner';

/** Undefined where nobody is let in by links, and when that person is kept out. */
export async function inviteOwner(
  { people, audit }: Pick<Store, 'people' | 'audit'>,
  platform: string,
  connection: Pick<Connection, 'invite'> | undefined,
): Promise<Invitation | undefined> {
  const who = { platform, userId: OWNER };
  const known = await people.find(who);
  if (known?.standing === 'denied') return undefined;
  const made = await connection?.invite?.(OWNER);
  if (!made || known) return made;
  await people.decide({ ...who, name: OWNER, role: 'owner', standing: 'allowed', decidedBy: 'start' });
  await audit.append({
    actor: 'start',
    action: 'allow',
    subject: { id: `${platform}:${OWNER}` },
    outcome: 'owner',
  });
  return made;
}
