// Which of the host's /usr are programs, and which are configuration or data that somebody has put beside them. Sandboxes see
// the programs only.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import type { SystemEntry } from './arguments.ts';

const LOCAL = '/usr/local';
const LIBRARIES = ['lib', 'lib32', 'lib64', 'libx32', 'libexec'];
const PROGRAMS = new Set(['bin', 'sbin', ...LIBRARIES, 'share', 'include', 'games', 'man']);
/** A compiler's folder for another machine, such as /usr/aarch64-linux-gnu. */
const TOOLCHAIN = /^[a-z0-9_]+-(?:[a-z0-9_]+-)?(?:linux|w64|none|elf|unknown)/;
/** In a tree with programs of its own, such as /usr/local/apache2. */
const DATA = new Set(
  'etc var conf config configs data db log logs run tmp home srv www htdocs private secret secrets keys certs backup backups'.split(
    ' ',
  ),
);

// Looking at some dozens of names takes less time than one hand-over to another thread.

/** What stands over /usr in a sandbox. Of /usr/local nothing is seen but what is named here, whatever is made there later. */
export function programFolders(): SystemEntry[] {
  const beside = namesIn('/usr')
    .map(name => join('/usr', name))
    .filter(path => path !== LOCAL && !isProgram(basename(path)));
  return [...beside.flatMap(hidden), ...(isFolder(LOCAL) ? localFolders() : [])];
}

function isProgram(name: string): boolean {
  return PROGRAMS.has(name) || TOOLCHAIN.test(name);
}

function localFolders(): SystemEntry[] {
  return [
    { path: LOCAL, isEmpty: true },
    ...namesIn(LOCAL).flatMap(name => localEntry(join(LOCAL, name), name)),
    ...hidden('/usr/local/lib/systemd'),
  ];
}

function localEntry(path: string, name: string): SystemEntry[] {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about?.isSymbolicLink()) return [{ path, linkTo: readlinkSync(path) }];
  const names = about?.isDirectory() ? namesIn(path) : [];
  if (names.length === 0) return [];
  if (PROGRAMS.has(name)) return [{ path, source: path }];
  if (!names.includes('bin')) return [];
  const data = names.filter(each => DATA.has(each)).map(each => join(path, each));
  return [{ path, source: path }, ...data.flatMap(hidden)];
}

/** Nothing where nothing is; a link leads to a place that is judged by itself. */
function hidden(path: string): SystemEntry[] {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about?.isDirectory()) return namesIn(path).length === 0 ? [] : [{ path, isEmpty: true }];
  return about?.isFile() ? [{ path, source: '/dev/null' }] : [];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A folder that we may not look into is one that sandboxes may not look into either: then it counts as having something. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    if (code === 'EACCES') return ['?'];
    throw error;
  }
}
