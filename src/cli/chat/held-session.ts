// The session of a chat in the terminal: a new one, or the last one, held so that no other chat has it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { HermesConfig } from '../../compose.ts';
import { dropLeasesOfRuns } from '../../sessions/dead-leases.ts';
import { isKeptByHand } from '../../sessions/kept-by-hand.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import type { Session } from '../../store/sessions.ts';
import { type Hold, holdAlone } from '../../store/sole-holder.ts';

/** Whoever sits at the terminal. */
export const PERSON = 'cli';

interface Place {
  readonly config: HermesConfig;
  readonly world: SandboxWorld;
}

/** A session that no other chat has as long as this one has it. */
export interface HeldSession {
  readonly session: Session;
  release(): Promise<void>;
}

export async function newSession(place: Place): Promise<HeldSession> {
  const id = newId();
  const session = await place.world.store.sessions.enter({
    ...{ key: `cli:${id}`, kind: 'cli', platform: 'cli', chat: id, person: PERSON },
  });
  const held = await holdSession(place, session);
  if (held) return held;
  throw new HermesError('BUG_UNEXPECTED', `Another chat has the new session ${session.id}.`);
}

/** The one that was active last and that no other chat has. */
export async function lastSession(place: Place): Promise<HeldSession> {
  const sessions = await place.world.store.sessions.list({ which: 'current', limit: 200 });
  for (const session of sessions.filter(each => each.kind === 'cli' && !isKeptByHand(each))) {
    const held = await holdSession(place, session);
    if (!held) continue;
    await dropLeasesOfRuns(place.world, session.id);
    return held;
  }
  throw new HermesError(
    'USAGE_UNKNOWN_ID',
    'There is no chat to continue. `hermes chat` without --continue begins one.',
  );
}

async function holdSession({ config }: Place, session: Session): Promise<HeldSession | undefined> {
  const folder = join(config.paths.home, 'chats');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${session.id}.lock`);
  const hold: Hold | undefined = holdAlone(file);
  if (!hold) return undefined;
  return {
    session,
    async release() {
      // While it is still held: whoever comes now makes a new one.
      await rm(file, { force: true });
      hold.release();
    },
  };
}
