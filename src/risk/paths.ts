// Where a path leads, as far as the text tells: normalised, and sorted into what a deletion or a write would mean there.
import { UNKNOWN } from './command.ts';

/**
 * `inside` is below the working folder, `above` beside or above it; `null` swallows what is written; `foreign` is any
 * other absolute path; `unknown` is known only when the command runs.
 */
export type Zone =
  | 'inside'
  | 'above'
  | 'temp'
  | 'home'
  | 'system'
  | 'foreign'
  | 'device'
  | 'null'
  | 'unknown';

/** Without `//`, `/./` and `..`; relative ones begin with `.` or `..`, home folders with `~`. */
export function locate(path: string, cwd: string): string {
  const plain = path
    .replace(/^file:\/\//, '')
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/|$)/, '/')
    .replace(/^~\+(?=\/|$)/, cwd)
    .replace(/^~-(?=\/|$)/, UNKNOWN);
  const whole = isRooted(plain) ? plain : `${cwd}/${plain}`;
  const [first = '', ...rest] = whole.split('/');
  const kept: string[] = [];
  for (const part of first === '' ? rest : [first, ...rest]) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (first !== '') kept.push('..');
  }
  if (first === '') return shortenHome(`/${kept.join('/')}`);
  if (
    kept[0]?.startsWith('~') ||
    /^[A-Za-z]:/.test(kept[0] ?? '') ||
    first.startsWith(UNKNOWN) ||
    kept[0] === '..'
  )
    return (
      kept
        .join('/')
        .replace(/^~[\w-]+/, '~')
        // What is hidden above the work may be what is hidden in the home folder.
        .replace(/^(?:\.\.\/)+(?=\.[^./])/, '~/')
    );
  return ['.', ...kept].join('/');
}

function isRooted(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || path.startsWith(UNKNOWN) || /^[A-Za-z]:/.test(path);
}

function shortenHome(path: string): string {
  return path.replace(/^\/(?:(?:home|Users|export\/home)\/(?:[^/*?]+|[^/]+(?=\/))|root)(?=\/|$)/, '~');
}

const NULL = /^\/dev\/(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd\/.*|ptmx|pts\/.*)$/;
const TEMP = /^\/(?:tmp|var\/tmp|dev\/shm|private\/tmp|private\/var\/folders|var\/folders)(?:\/|$)/;
const SYSTEM =
  /^\/(?:\*?|etc|usr|bin|sbin|lib|lib32|lib64|libx32|boot|var|sys|proc|dev|run|root|home|Users|System|Library|Applications|opt|srv|nix|snap|private|efi|init|lost\+found)(?:\/|$|\*)/;

export function zoneOf(located: string): Zone {
  if (located.startsWith('~')) return 'home';
  if (located === '..' || located.startsWith('../')) return 'above';
  if (located.startsWith('.')) return 'inside';
  if (/^[A-Za-z]:/.test(located)) return 'system';
  if (located.startsWith(UNKNOWN)) return 'unknown';
  if (NULL.test(located)) return 'null';
  if (TEMP.test(located)) return 'temp';
  if (located.startsWith('/dev/')) return 'device';
  return SYSTEM.test(located) || /^\/[^/]*[*?[]/.test(located) ? 'system' : 'foreign';
}

/** A folder itself or all that is in it: `.`, `./*`, `/tmp`, `~/*`, `./.*`. */
export function isWhole(located: string): boolean {
  const root = located.replace(/(?:\/(?:\*\*?|\.\*|\.\?\?\*|\.\[!?\^?\.?\]\*|\{.*\}))+$/, '');
  return /^(?:\.|\.\.(?:\/\.\.)*|~|\/|\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)|)$/.test(root);
}

/** Folders that a build, a test or a package program makes again. */
const MADE =
  /^(?:node_modules|_cacache|dist(?:[-_.].*)?|build(?:[-_.].*)?|.*[-_.]build|out|target|obj|bin|\.?caches?|\.?.*[-_.]cache|__pycache__|__snapshots__|\.tox|\.nox|\.?venv\d*|\.?virtualenv|coverage|htmlcov|\.coverage.*|\.nyc_output|\.next|\.nuxt|\.turbo|\.gradle|\.eggs|.*\.egg-info|\.?te?mp(?:[-_.].*)?|.*[-_.]te?mp|logs?|_build|_site|\.terraform|vendor|bower_components|Debug|Release|cmake-build-.*|DerivedData|Pods|\.dart_tool|\.output|\.svelte-kit|\.docusaurus|\.serverless|\.angular|\.vite|\.webpack|storybook-static|test-results|test-output|playwright-report|reports?|artifacts?|generated|\.hypothesis|\.ipynb_checkpoints|CMakeFiles|autom4te\.cache|release|outputs?|\.sass-cache|\.stack-work|_deps|zig-out|elm-stuff|\.bundle|scratch)$/i;

/** Whether what lies there comes back by itself: made by a program, or a cache. */
export function isRegenerable(located: string): boolean {
  const parts = located.split('/').filter(part => part !== '.' && part !== '');
  return parts.some((part, at) => MADE.test(part) && (at > 0 || located.startsWith('.')));
}

/** A name with an ending is a file, or a pattern for some. */
export function looksLikeFile(located: string): boolean {
  return /[^/.][^/]*\.[A-Za-z0-9*?]{1,8}~?$|[^/.*]\*$|\.(?:pyc|orig|bak)$/.test(
    located.slice(located.lastIndexOf('/') + 1),
  );
}

/** Whether a path that may hold `*` and `?` could mean one of these. */
export function couldBe(located: string, patterns: readonly RegExp[], samples: readonly string[]): boolean {
  if (patterns.some(pattern => pattern.test(located))) return true;
  if (!isOpen(located) || located.length > 200) return false;
  const globs = [located, openFolder(located)].map(path => path && globOf(path));
  return globs.some(
    (glob, isFolder) =>
      glob && samples.some(sample => glob.test(isFolder ? startOf(sample, located) : sample)),
  );
}

/** Up to a hidden folder whose name is known only when it is expanded: then nothing is known of what is in it. */
function openFolder(located: string): string | undefined {
  return /^~\/\.[^/]*[*?[\uE000][^/]*(?=\/|$)/.exec(located)?.[0];
}

/** As many parts of it as the open folder has. */
const startOf = (sample: string, located: string): string =>
  sample.split('/').slice(0, openFolder(located)?.split('/').length).join('/');

/** Whether a path has parts that are known only when it is expanded. */
function isOpen(located: string): boolean {
  return /[*?[]/.test(located) || located.includes(UNKNOWN);
}

function globOf(path: string): RegExp | undefined {
  const stars = path.split(/[*\uE000]/).length - 1;
  // Many stars would make the match slow, and a name of which nothing is known says nothing.
  if (stars > 6 || !/[\w~]/.test(path)) return undefined;
  const body = path
    .replace(/[.+^${}()|\\]/g, '\\$&')
    // A star that begins a name stands for none that is hidden.
    .replace(/(^|\/)\*+/g, '$1(?!\\.)[^/]\u0000')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('\u0000', '*')
    .replaceAll(UNKNOWN, '.*')
    .replace(/\?/g, '[^/]')
    .replace(/\[!/g, '[^');
  return compiled(`^${body}$`);
}

function compiled(body: string): RegExp | undefined {
  try {
    return new RegExp(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
