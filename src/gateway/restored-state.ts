// A state that somebody has put back: known at the start, and its past is closed before anything of it is taken up.
import { type ConcernedSession, closePast } from '../store/backup/close-past.ts';
import { readGeneration, writeGeneration } from '../store/backup/generation.ts';
import { stateFile } from '../store/state-file.ts';
import { addressOfSession } from './address.ts';
import { storedBody } from './outgoing.ts';
import type { GatewayWorld } from './parts.ts';

/** For a chat that had something in flight when the state was copied. `at`: of the copy. */
export function restoredNotice(at: number): (session: ConcernedSession) => unknown {
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = `Restored to ${time}. What was in progress then is not repeated. Write to me to go on.`;
  return session => storedBody(addressOfSession(session), { kind: 'text', text, isReport: true });
}

export class RestoredState {
  readonly #world: GatewayWorld;
  readonly #home: string;
  #generation = 0;
  #dealtWithUntil: number | undefined;
  #openedAt = 0;

  constructor(world: GatewayWorld, home: string) {
    this.#world = world;
    this.#home = home;
  }

  /** Before anything of the state is taken up. */
  async open(): Promise<void> {
    const { store, log, clock } = this.#world;
    this.#openedAt = clock.now();
    const record = await readGeneration(this.#home);
    const { generation, at } = await store.installation.generation();
    this.#dealtWithUntil = record?.dealtWithUntil;
    if (record && generation < record.generation) {
      // Written first: when this is cut off, the next start closes the past.
      this.#dealtWithUntil = record.at;
      await writeGeneration(this.#home, { ...record, dealtWithUntil: record.at });
      const chats = closePast({
        path: stateFile(this.#home),
        now: clock.now(),
        notice: restoredNotice(at),
        generation: record.generation,
      });
      log.warn({ chats, at }, 'the state is an older copy; what was in progress in it is not repeated');
    }
    this.#generation = Math.max(generation, record?.generation ?? 0);
    await this.raise();
  }

  /** Every copy that was made before is known as one from now on. */
  async raise(): Promise<void> {
    const { store, clock } = this.#world;
    const generation = this.#generation + 1;
    await store.installation.raiseGeneration(generation);
    const dealtWithUntil = this.#dealtWithUntil;
    await writeGeneration(this.#home, {
      ...{ generation, at: clock.now() },
      ...(dealtWithUntil === undefined ? {} : { dealtWithUntil }),
    });
    this.#generation = generation;
  }

  /** What the state that is gone has dealt with comes again from platforms that had not been told so. */
  isDealtWith(sentAt: number | undefined): boolean {
    if (sentAt === undefined || this.#dealtWithUntil === undefined) return false;
    // Not what comes after the start, however the clock stood when the record was written.
    return sentAt <= Math.min(this.#dealtWithUntil, this.#openedAt);
  }
}
