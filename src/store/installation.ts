// This gateway as such: the id that labels all that it creates, the backend that `auto` came to, and who serves it now.
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { settleClock } from './clock-set-back.ts';
import type { Database } from './tables.ts';

export interface InstallationRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly backend: { readonly name: string; readonly chosenAt: number } | null;
  /** Who wrote that it serves this installation; whether it still lives, only its hold can tell (sole-holder.ts). */
  readonly gateway: { readonly pid: number; readonly startedAt: number } | null;
}

export interface Installation {
  /** The same id for ever; made on the first call, or `known` from then on. */
  read(known?: string): Promise<InstallationRecord>;
  /** How far this state has come, and when that was. */
  generation(): Promise<{ readonly generation: number; readonly at: number }>;
  raiseGeneration(generation: number): Promise<void>;
  /** Records what `auto` has come to, or with null that it must be chosen again. */
  recordBackend(name: string | null): Promise<void>;
  recordGateway(pid: number): Promise<void>;
  /** Nothing happens when another process has recorded itself meanwhile. */
  forgetGateway(pid: number): Promise<void>;
  /** At the start of a gateway: a clock that was set back meanwhile makes nothing wait longer. */
  settleClock(): Promise<void>;
}

export function installation(db: Database, clock: Clock): Installation {
  const row = db.selectFrom('installation').selectAll();
  const ensured = (id = newId()) =>
    db
      .insertInto('installation')
      .values({ slot: 1, id, createdAt: clock.now() })
      .onConflict(conflict => conflict.column('slot').doNothing())
      .execute();
  return {
    async read(known) {
      const found = await row.executeTakeFirst();
      if (!found) await ensured(known);
      const { id, createdAt, backend, backendChosenAt, gatewayPid, gatewayStartedAt } =
        found ?? (await row.executeTakeFirstOrThrow());
      return {
        id,
        createdAt,
        backend: backend === null ? null : { name: backend, chosenAt: backendChosenAt ?? createdAt },
        gateway: gatewayPid === null ? null : { pid: gatewayPid, startedAt: gatewayStartedAt ?? createdAt },
      };
    },
    async generation() {
      await ensured();
      const { generation, generationAt, createdAt } = await row.executeTakeFirstOrThrow();
      return { generation, at: generationAt ?? createdAt };
    },
    async raiseGeneration(generation) {
      await ensured();
      await db.updateTable('installation').set({ generation, generationAt: clock.now() }).execute();
    },
    async recordBackend(name) {
      await ensured();
      const backendChosenAt = name === null ? null : clock.now();
      await db.updateTable('installation').set({ backend: name, backendChosenAt }).execute();
    },
    async recordGateway(pid) {
      await ensured();
      await db.updateTable('installation').set({ gatewayPid: pid, gatewayStartedAt: clock.now() }).execute();
    },
    settleClock: () => settleClock(db, clock.now()),
    async forgetGateway(pid) {
      await db
        .updateTable('installation')
        .set({ gatewayPid: null, gatewayStartedAt: null })
        .where('gatewayPid', '=', pid)
        .execute();
    },
  };
}
