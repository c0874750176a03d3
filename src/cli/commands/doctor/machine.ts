// The machine under the installation: its system, the room on its disk, its clock.
import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { systemErrorCode } from '../../../base/errors.ts';
import { systemReason } from '../../../base/system-reason.ts';
import { stateFile } from '../../../store/state-file.ts';
import { type AreaReport, type Found, problem, warning } from './area.ts';

const MIB = 1024 ** 2;
const SCARCE_MIB = 2048;
const TOO_LITTLE_MIB = 128;
const SCARCE_FILES = 10_000;
/** Hermes is younger than that. */
const EARLIEST = Date.UTC(2026, 0, 1);
/** Clocks of file servers differ a little. */
const AHEAD_MS = 5 * 60_000;
const OLDEST_NODE = 24;

export async function checkEnvironment(): Promise<AreaReport> {
  const { platform, versions, arch } = process;
  const found: Found[] = [];
  if (Number.parseInt(versions.node, 10) < OLDEST_NODE)
    found.push(problem('node', `Node ${versions.node} is too old.`, `Install Node ${OLDEST_NODE} or newer.`));
  if (platform !== 'linux' && platform !== 'darwin')
    found.push(warning('system', `${platform} is not tested.`, 'Use Linux, or WSL on Windows.'));
  const folder = tmpdir();
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `Temporary files cannot be written to ${folder}: ${systemReason(error)}.`;
    found.push(problem('temporary files', message, 'Make it writable, or set TMPDIR to another folder.'));
  }
  return { area: 'environment', said: `Node ${versions.node} on ${platform} ${arch}`, found };
}

export async function checkDisk(home: string): Promise<AreaReport> {
  const { bavail, bsize, ffree, files } = await statfs(await nearestFolder(home));
  const freeMiB = Math.floor((bavail * bsize) / MIB);
  const found: Found[] = [];
  const fix = 'Make room: hermes sandbox prune, docker system prune, old backups in the folder backups.';
  if (freeMiB < TOO_LITTLE_MIB)
    found.push(problem('disk', `Only ${freeMiB} MiB are free on the disk of ${home}.`, fix));
  else if (freeMiB < SCARCE_MIB)
    found.push(warning('disk', `Only ${freeMiB} MiB are free on the disk of ${home}.`, fix));
  // Some file systems make them as they are needed, and say 0.
  if (files > 0 && ffree < SCARCE_FILES)
    found.push(warning('disk', `Only ${ffree} more files can be made on the disk of ${home}.`, fix));
  return { area: 'disk', said: `${(freeMiB / 1024).toFixed(1)} GiB free`, found };
}

export async function checkClock(home: string, clock: Clock): Promise<AreaReport> {
  const now = clock.now();
  const shown = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const fix = 'Set it, and let the system keep it right: timedatectl set-ntp true';
  const written = await newestChange(home);
  const found: Found[] = [];
  if (now < EARLIEST) found.push(problem('clock', `It is not ${shown}; logins and deadlines go wrong.`, fix));
  else if (written !== undefined && written > now + AHEAD_MS)
    found.push(
      problem('clock', `It says ${shown}, but the state was written later than that: it was set back.`, fix),
    );
  else if ((await isSynchronised()) === false)
    found.push(warning('clock', 'Nothing keeps it right: it is not synchronised.', fix));
  return { area: 'clock', said: shown, found };
}

async function newestChange(home: string): Promise<number | undefined> {
  const times = await Promise.all(['', '-wal'].map(end => changeOf(stateFile(home) + end)));
  const known = times.filter(time => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

async function changeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Undefined where nobody can tell, as without systemd. */
function isSynchronised(): Promise<boolean | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const args = ['show', '--property=NTPSynchronized', '--value'];
  execFile('timedatectl', args, { timeout: 2000, killSignal: 'SIGKILL' }, (error, stdout) => {
    const said = stdout.trim();
    resolve(error || said === '' ? undefined : said === 'yes');
  });
  return promise;
}

async function nearestFolder(path: string): Promise<string> {
  return (await changeOf(path)) === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}
