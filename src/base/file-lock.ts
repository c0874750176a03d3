// A lock between processes for the few moments in which one reads, changes and writes a file.
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { type Clock, sleep } from './clock.ts';
import { HermesError, systemErrorCode } from './errors.ts';
import { newId } from './ids.ts';

const WAIT_MS = 5_000;
const PAUSE_MS = 15;
/** Nobody holds one this long; the process id in an older one may meanwhile belong to somebody else. */
const STALE_MS = 60_000;

/** Runs `work` while holding `<path>.lock`. A lock whose holder has died is taken over. */
export async function withFileLock<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const giveUpAt = clock.monotonic() + WAIT_MS;
  while (!(await tryLock(lock))) {
    if (await takeStale(lock, clock)) continue;
    if (clock.monotonic() >= giveUpAt) throw lockTimeout(lock);
    await sleep(clock, PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    try {
      await file.writeFile(String(process.pid));
    } catch (error) {
      // On a full disk the file is there but empty, and nobody could tell whose it is.
      await rm(lock, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead holder's lock out of the way; true if the lock may now be free. */
async function takeStale(lock: string, clock: Clock): Promise<boolean> {
  const aside = `${lock}.${newId()}`;
  try {
    const { ino, mtimeMs } = await stat(lock);
    const pid = Number(await readFile(lock, 'utf8'));
    if (clock.now() - mtimeMs <= STALE_MS && (pid <= 0 || isAlive(pid))) return false;
    await rename(lock, aside);
    // Somebody else may have taken it over in between: then it is theirs and goes back.
    if ((await stat(aside)).ino === ino) await rm(aside);
    else await rename(aside, lock);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function lockTimeout(lock: string): HermesError {
  return new HermesError(
    'UNAVAILABLE_LOCK',
    `Another process has been holding ${lock} for ${WAIT_MS / 1000} s. Wait for it, or remove the file if nothing is running.`,
    { details: { lock } },
  );
}
