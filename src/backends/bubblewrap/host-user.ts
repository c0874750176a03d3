// Who a sandbox is on the host. Started as root, each gets a user of its own that owns nothing but its folder: should
// it get out of its namespaces, it is nobody. Started as an ordinary user, it can only be that user.
import { createHash } from 'node:crypto';

/** Above what systems give out to people, containers and services, and below 2^31, which some programs take for negative. */
const FIRST_ID = 2_000_000_000;
const IDS = 147_000_000;

/** The same for the same sandbox, always. */
export function hostUserOf(id: string): number {
  return FIRST_ID + (createHash('sha256').update(id).digest().readUInt32LE() % IDS);
}
