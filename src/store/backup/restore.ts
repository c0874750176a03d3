// Puts a backup in the place of what is there. What was there is kept aside; a failure leaves everything as it was.

import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { ifThere } from '../../base/if-there.ts';
import { holdAlone } from '../sole-holder.ts';
import { stateFile } from '../state-file.ts';
import { type ClosePastOptions, closePast } from './close-past.ts';
import { settleState } from './copy-state.ts';
import { stampOf, withStaging } from './folder.ts';
import { readGeneration, writeGeneration } from './generation.ts';
import { CONFIG, type Contents, contentsOf, KEPT_FOLDERS, SECRETS, STATE, WORKSPACES } from './manifest.ts';
import { takeApart } from './verify.ts';

export interface RestoreOptions {
  readonly home: string;
  readonly file: string;
  readonly clock: Clock;
  /** The file whose lock a running gateway has; it is held until everything is in its place. */
  readonly gatewayLock: string;
  /** For the chats that had something in flight at that time; absent = they are not told. */
  readonly notice?: (madeAt: number) => NonNullable<ClosePastOptions['notice']>;
}

export interface Restored {
  readonly file: string;
  readonly madeAt: number;
  readonly contents: Contents;
  /** What was put back, as names in the home. */
  readonly restored: readonly string[];
  /** The folder with what was there before; null when there was nothing. */
  readonly aside: string | null;
  /** The folder with the archives of the workspaces; null when the backup has none. */
  readonly workspaces: string | null;
  /** How many chats had something in flight, which is not repeated. */
  readonly interruptedChats: number;
}

const LOG_ENDS = ['-wal', '-shm'];

/**
 * Throws UNAVAILABLE_GATEWAY while a gateway runs, USAGE_BACKUP_UNUSABLE for what is damaged, UNAVAILABLE_STORE for a state
 * that is newer than this program; then nothing has changed.
 */
export function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { home, file, clock, gatewayLock } = options;
  return withStaging(home, clock, async staging => {
    const manifest = await takeApart(file, staging);
    const hold = holdAlone(gatewayLock);
    if (!hold) throw isServed(home);
    try {
      const before = await readGeneration(home);
      const interruptedChats = await closeCopied(staging, manifest.madeAt, options);
      const stamp = stampOf(clock.now());
      const aside = join(home, `before-restore-${stamp}`);
      await mkdir(aside, { mode: 0o700 });
      const moves = new Moves();
      try {
        const restored = await exchange({ home, staging, aside, moves });
        const workspaces = await keepWorkspaces(home, staging, stamp);
        const isEmpty = (await readdir(aside)).length === 0;
        const about = { file, madeAt: manifest.madeAt, contents: contentsOf(manifest) };
        return { ...about, restored, aside: isEmpty ? null : aside, workspaces, interruptedChats };
      } catch (error) {
        await moves.undo();
        if (before) await writeGeneration(home, before);
        throw error;
      } finally {
        await removeIfEmpty(aside);
      }
    } finally {
      hold.release();
    }
  });
}

/** Before it is put in its place: there is no moment at which its past could be taken up. */
async function closeCopied(
  staging: string,
  madeAt: number,
  { home, clock, notice }: RestoreOptions,
): Promise<number> {
  const record = await readGeneration(home);
  // What has been said up to then has been dealt with by the state that is replaced.
  if (record) await writeGeneration(home, { ...record, dealtWithUntil: record.at });
  return closePast({
    path: join(staging, STATE),
    now: clock.now(),
    generation: (record?.generation ?? 0) + 1,
    ...(notice ? { notice: notice(madeAt) } : {}),
  });
}

interface Exchange {
  readonly home: string;
  readonly staging: string;
  readonly aside: string;
  readonly moves: Moves;
}

/**
 * The state comes last and is replaced in one step, so that a crash in between leaves the old one or the new one: without any,
 * the next start would begin afresh.
 */
async function exchange({ home, staging, aside, moves }: Exchange): Promise<string[]> {
  const restored: string[] = [];
  for (const name of [CONFIG, SECRETS, ...KEPT_FOLDERS]) {
    const isNew = (await ifThere(stat(join(staging, name)))) !== undefined;
    const isFolder = KEPT_FOLDERS.some(folder => folder === name);
    // A file that the backup does not have stays; what platforms keep belongs to the state.
    if (!isNew && !isFolder) continue;
    await moves.move(join(home, name), join(aside, name));
    if (isNew) await moves.move(join(staging, name), join(home, name));
    if (isNew) restored.push(name);
  }
  const state = stateFile(home);
  if (await ifThere(stat(state))) {
    settleState(state);
    await link(state, join(aside, STATE));
    for (const end of LOG_ENDS) await moves.move(state + end, join(aside, STATE + end));
    moves.onUndo(() => rename(join(aside, STATE), state));
  } else moves.onUndo(() => rm(state, { force: true }));
  await rename(join(staging, STATE), state);
  return [...restored, STATE];
}

async function keepWorkspaces(home: string, staging: string, stamp: string): Promise<string | null> {
  const staged = join(staging, WORKSPACES);
  if (!(await ifThere(stat(staged)))) return null;
  const target = join(home, `restored-workspaces-${stamp}`);
  await rename(staged, target);
  return target;
}

/** Renames that can be taken back, the last one first. */
class Moves {
  readonly #undo: (() => Promise<void>)[] = [];

  /** Nothing happens where there is nothing. */
  async move(from: string, to: string): Promise<void> {
    if (!(await ifThere(stat(from)))) return;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to);
    this.onUndo(() => rename(to, from));
  }

  onUndo(step: () => Promise<void>): void {
    this.#undo.push(step);
  }

  async undo(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step();
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
}

function isServed(home: string): HermesError {
  const message = `A gateway serves ${home}; nothing was changed. Stop it first (\`hermes gateway stop\`), then restore, then start it again.`;
  return new HermesError('UNAVAILABLE_GATEWAY', message, { details: { home } });
}
