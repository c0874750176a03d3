// What the words of a call alone do not say, asked in the sandbox: where the session's shell stands, where links lead, what
// the files hold that it runs.
import { normalize, resolve } from 'node:path/posix';
import { HermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { Exposure } from '../risk/exposure.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { assertRan } from '../tools/file-failure.ts';
import type { Action } from '../tools/tool.ts';
import { areSame, lookAtScripts, type ScriptFile } from './look-at-scripts.ts';

export interface LookedUp {
  /** Where the command runs, when the session's shell decides. */
  readonly folder?: string;
  /** Where the path leads, absolute. */
  readonly realPath?: string;
  readonly isLink?: boolean;
  /** Where nothing is contained. */
  readonly scripts?: readonly ScriptFile[];
}

export interface LookUpOptions {
  readonly exposure: Exposure;
  readonly keepsShell: boolean;
  readonly signal: AbortSignal;
  /** How long the conversation has lasted. */
  readonly sinceMs: number;
}

/** Where nothing can be hurt none of it matters, and each answer would cost a command. */
export async function lookUp(
  handle: SandboxHandle,
  action: Action,
  options: LookUpOptions,
): Promise<LookedUp> {
  const { exposure, keepsShell, signal } = options;
  const { isWhole, mounts, credentials } = exposure;
  if (!isWhole && mounts.length === 0 && credentials.length === 0) return {};
  if ('path' in action) return whereItLeads(handle, action.path, signal);
  if (action.kind !== 'command') return {};
  const isTold = action.folder !== undefined || !keepsShell;
  const folder = isTold ? undefined : await shellFolder(handle, signal);
  const found = folder === undefined ? {} : { folder };
  return { ...found, ...(await scriptsOf(handle, action, { ...options, ...found })) };
}

/** Whether it is still as it was; somebody may have had all the time that an answer takes. */
export async function isUnchanged(
  handle: SandboxHandle,
  action: Action,
  found: LookedUp,
  options: LookUpOptions,
): Promise<boolean> {
  if ('path' in action && found.realPath !== undefined)
    return (await whereItLeads(handle, action.path, options.signal)).realPath === found.realPath;
  if (action.kind !== 'command' || !found.scripts?.length) return true;
  const { folder } = found;
  const now = await scriptsOf(handle, action, { ...options, ...(folder === undefined ? {} : { folder }) });
  return areSame(now.scripts ?? [], found.scripts);
}

async function scriptsOf(
  handle: SandboxHandle,
  action: Extract<Action, { kind: 'command' }>,
  { signal, sinceMs, folder }: LookUpOptions & { readonly folder?: string },
): Promise<Pick<LookedUp, 'scripts'>> {
  const start = resolve(handle.workdir, action.folder ?? folder ?? '.');
  return { scripts: await lookAtScripts(handle, action.command, { folder: start, signal, sinceMs }) };
}

async function shellFolder(handle: SandboxHandle, signal: AbortSignal): Promise<string> {
  const { stdout, exitCode } = await handle.exec('builtin pwd -P', { persistent: true, signal });
  signal.throwIfAborted();
  if (exitCode === 0 && stdout !== '') return stdout.replace(/\n$/, '');
  throw new HermesError(
    'SANDBOX_CWD_MISSING',
    'The folder in which the shell of this session stands is gone or cannot be told. Give a workdir.',
  );
}

/** Of what is not there yet, the folder in which it would be. Throws SANDBOX_FILE_REFUSED when nobody can tell. */
async function whereItLeads(
  handle: SandboxHandle,
  path: string,
  signal: AbortSignal,
): Promise<Required<Pick<LookedUp, 'realPath' | 'isLink'>>> {
  const isHome = path === '~' || path.startsWith('~/');
  const place = isHome
    ? `"$HOME"/${shellQuote(normalize(`./${path.slice(2)}`))}`
    : shellQuote(resolve(handle.workdir, path));
  const result = await handle.exec(
    `p=${place}
p=\${p%/.}
d=$p rest=
while [[ ! -e $d && ! -L $d && $d == */* ]]; do rest=/\${d##*/}$rest d=\${d%/*}; done
r=$(readlink -f -- "\${d:-/}" && printf x) || { echo 'it cannot be told where it leads' >&2; exit 1; }
r=\${r%$'\\n'x}
r=\${r%/}$rest
printf '%s\\0%s' "$p" "\${r:-/}"`,
    { signal },
  );
  signal.throwIfAborted();
  assertRan(path, result);
  const [own = '', realPath = ''] = result.stdout.split('\0');
  return { realPath, isLink: resolve(own) !== realPath };
}
