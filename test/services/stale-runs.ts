// Clears away runs whose owner was killed before it could do so itself.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { findCommand, isErrno } from './command.ts';
import { removeLeftovers } from './leftovers.ts';
import { withLock } from './lock.ts';

/** Starts the id and the folder name of every run. Short: sockets lie below. */
export const runPrefix = 'hermes-';

/**
 * Removes every run below that folder whose owner is gone. Runs that start at the same time take turns, so that each finds
 * a stale one whole or not at all.
 */
export async function removeStaleRuns(parent: string, say: (text: string) => void): Promise<void> {
  // Without it there are no services whose leftovers could be fought over.
  if (!(await findCommand('flock'))) return removeNow(parent, say);
  await withLock(join(cacheDir(), 'stale-runs.lock'), new AbortController().signal, () =>
    removeNow(parent, say),
  );
}

async function removeNow(parent: string, say: (text: string) => void): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!/^hermes-[0-9a-f]{8}$/.test(name)) continue;
    const runDir = join(parent, name);
    if (await isOwned(runDir)) continue;
    say(`removing ${name}, left by a run that was killed`);
    await removeLeftovers({ runId: name, runDir, tmpDir: join(runDir, 'tmp') });
    await rm(runDir, { recursive: true, force: true });
  }
}

async function isOwned(runDir: string): Promise<boolean> {
  try {
    // Another user's runs are for that user to clear away.
    if ((await stat(runDir)).uid !== process.getuid?.()) return true;
    const pid = Number(await readFile(join(runDir, 'owner'), 'utf8'));
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Without the file it is just being made or removed, or no run at all; a process of another user runs.
    if (isErrno(error, 'ENOENT', 'EPERM')) return true;
    if (isErrno(error, 'ESRCH')) return false;
    throw error;
  }
}
