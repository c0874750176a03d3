// The folder of the installation: whether it is there, who can get at it, and whether the database in it is sound.
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHermesError, systemErrorCode } from '../../../base/errors.ts';
import { ensurePrivateDir } from '../../../base/private-files.ts';
import { shellQuote } from '../../../base/shell-quote.ts';
import type { LooseFile } from '../../../security/facts.ts';
import { lookAtHome } from '../../../security/home-files.ts';
import { examine } from '../../../store/examine.ts';
import { migrations } from '../../../store/migrations/index.ts';
import { stateFile } from '../../../store/state-file.ts';
import { type AreaReport, type Found, problem, skipped, warning } from './area.ts';

/** What is made on the way, so that it can be made with the right modes now. */
const FOLDERS = ['', 'logs', 'backups'];

export async function checkHome(home: string): Promise<AreaReport> {
  const uid = process.getuid?.();
  const { isThere, loose, foreign } = await lookAtHome(home, uid);
  if (!isThere) {
    const absent = warning(
      'home',
      `${home} does not exist yet.`,
      `mkdir -m 700 ${shellQuote(home)}, or: hermes doctor --fix`,
    );
    const mend = async (): Promise<void> => {
      for (const name of FOLDERS) await ensurePrivateDir(join(home, name));
    };
    return { area: 'home', said: `${home} is missing`, found: [{ ...absent, mend }] };
  }
  const foreignOnes = foreign.map(text =>
    problem('home', `${text}.`, `sudo chown -R ${uid} ${shellQuote(home)}`),
  );
  return { area: 'home', said: home, found: [...loose.map(tooOpen), ...foreignOnes] };
}

function tooOpen({ path, mode, isFolder, isSecret }: LooseFile): Found {
  const wanted = isFolder ? 0o700 : 0o600;
  const shown = mode.toString(8).padStart(4, '0');
  const what = isSecret ? 'It holds secrets, and others' : 'Others';
  return {
    ...problem(
      path,
      `Its mode is ${shown}. ${what} on this machine can get at it.`,
      `chmod ${wanted.toString(8)} ${shellQuote(path)}, or: hermes doctor --fix`,
    ),
    mend: () => chmod(path, wanted),
  };
}

/** Only looks; a state of an older version is changed when it is next used, not now. */
export async function checkDatabase(home: string): Promise<AreaReport> {
  const path = stateFile(home);
  try {
    const found = await stat(path);
    const newest = migrations.length;
    const version = examine({ path, found, depth: 'whole', newest });
    const size = `${(found.size / 1024 ** 2).toFixed(1)} MB`;
    const update = version < newest ? `; the next start backs it up and brings it to ${newest}` : '';
    return { area: 'database', said: `version ${version}, ${size}, sound${update}`, found: [] };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return skipped('database', 'there is none yet');
    if (!isHermesError(error)) throw error;
    const fix = 'hermes backup list shows what can be restored: hermes backup restore FILE';
    return { area: 'database', said: 'cannot be used', found: [problem('database', error.message, fix)] };
  }
}
