// Who a sandbox is on the host. Started as root, each gets a user of its own that owns nothing but its folder: should
// it get out of its namespaces, it is nobody. One that may write a folder of somebody's is that folder's owner. Started as an
// ordinary user, it can only be that user.
import { createHash } from 'node:crypto';
import type { Owner } from '../as-owner.ts';
import type { CheckedMount } from './mounts.ts';

/** Above what systems give out to people, containers and services, and below 2^31, which some programs take for negative. */
const FIRST_ID = 2_000_000_000;
const IDS = 147_000_000;

/** Below it are the users and groups of the system. */
const FIRST_PERSON = 1000;

export function gatewayUser(): Owner {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/**
 * Pure. Its group is the owner's only where the folder shows that the owner has one of the same number: elsewhere that number may
 * stand for a group with rights, such as `shadow` or `docker`.
 */
export function sandboxUser(
  id: string,
  mounts: readonly Pick<CheckedMount, 'readOnly' | 'uid' | 'gid'>[],
): Owner {
  const nobody = hostUserOf(id);
  const owner = mounts.find(({ readOnly, uid }) => !readOnly && uid !== 0);
  if (!owner) return { uid: nobody, gid: nobody };
  const hasOwnGroup = owner.gid === owner.uid && owner.uid >= FIRST_PERSON;
  return { uid: owner.uid, gid: hasOwnGroup ? owner.gid : nobody };
}

/** The same for the same sandbox, always. */
function hostUserOf(id: string): number {
  return FIRST_ID + (createHash('sha256').update(id).digest().readUInt32LE() % IDS);
}
