// The backup that is made before the database is changed to a newer form, so that an update can be taken back.
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { createBackup, keepNewest } from './create.ts';

/** How many of these are kept. */
const KEPT = 5;

/** Throws UNAVAILABLE_BACKUP; then the database must not be changed. Nothing is made when another process has changed it by now. */
export async function backUpBeforeMigration(home: string, clock: Clock, newest: number): Promise<void> {
  try {
    await createBackup({ home, clock, reason: 'before-migration', secrets: 'left out', olderThan: newest });
    await keepNewest(home, 'before-migration', KEPT);
  } catch (error) {
    if (!isHermesError(error, 'UNAVAILABLE_BACKUP')) throw error;
    const message = `The state is of an older Hermes and was not changed, because it could not be backed up before. ${error.message}`;
    throw new HermesError('UNAVAILABLE_BACKUP', message, { details: error.details, cause: error });
  }
}
