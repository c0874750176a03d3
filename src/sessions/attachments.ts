// Files between a chat and its sandbox: in through `/workspace/inbox`, out as bytes through the sandbox's own access. No
// path of the host is ever read on anybody's word.
import { posix } from 'node:path';
import { HermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';

const INBOX = 'inbox';
const LONGEST_NAME = 120;
const MOST_OF_A_NAME = 10_000;

export interface ReceivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where its path was judged to lead; absent = where that does not matter. */
  readonly path?: string;
}

/** Where a file of that name goes, in the workspace. */
export function inboxPath(name: string): string {
  return posix.join(INBOX, safeName(name));
}

/** Puts what somebody sent where `inboxPath` says; returns the path there. One of that name stays as it is. */
export async function receiveFile(
  handle: SandboxHandle,
  { name, bytes, path: wanted = inboxPath(name) }: ReceivedFile,
): Promise<string> {
  const folder = posix.dirname(posix.resolve(handle.workdir, wanted));
  const path = posix.join(folder, await reservedName(handle, folder, safeName(name)));
  await handle.writeFile(path, bytes);
  return path;
}

/** Reads a file of the workspace for sending. Throws SANDBOX_FILE_REFUSED when it is too large or lies elsewhere. */
export async function sendableFile(
  handle: SandboxHandle,
  path: string,
  mostBytes: number,
): Promise<Uint8Array> {
  const real = await workspacePath(handle, path);
  const { size } = await handle.stat(real);
  if (size > mostBytes) throw refused(path, `it has ${size} bytes, and ${mostBytes} are allowed`);
  return handle.readFile(real, { most: mostBytes });
}

/** Where a path of the workspace leads. Throws SANDBOX_FILE_REFUSED when that is elsewhere. */
export async function workspacePath(handle: SandboxHandle, path: string): Promise<string> {
  const real = await realPath(handle, path);
  const root = await realPath(handle, handle.workdir);
  if (real === root || real.startsWith(root === '/' ? root : `${root}/`)) return real;
  throw refused(path, `it leads to ${real}, outside the workspace`);
}

/** What is left of a name that may contain anything: no folder, nothing hidden, no control characters. */
export function safeName(name: string): string {
  const last = name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const plain = last
    .replace(/\p{Cc}/gu, '')
    .replace(/^\.+/, '')
    .trim();
  return plain === '' ? 'file' : shortened(plain);
}

/** Keeps the extension. */
function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const extension = posix.extname(name).slice(0, 16);
  return name.slice(0, LONGEST_NAME - extension.length) + extension;
}

/** Makes an empty file under the first name that is free, in one step: two of the same name may come at once. */
async function reservedName(handle: SandboxHandle, folder: string, name: string): Promise<string> {
  const extension = posix.extname(name);
  const stem = name.slice(0, name.length - extension.length);
  const [first, prefix, suffix] = [name, `${stem}-`, extension].map(shellQuote);
  const { stdout, exitCode, stderr } =
    await handle.exec(`mkdir -p -- ${shellQuote(folder)} && cd -- ${shellQuote(folder)} || exit
name=${first}
for ((count = 2; count < ${MOST_OF_A_NAME}; count++)); do
  if [[ ! -e $name && ! -L $name ]] && (set -o noclobber; : >"./$name") 2>/dev/null; then printf %s "$name"; exit 0; fi
  name=${prefix}$count${suffix}
done
exit 1`);
  if (exitCode === 0) return stdout;
  throw new HermesError('SANDBOX_FILE_REFUSED', `${name} was not taken in: ${stderr || 'no name is free'}.`, {
    details: { path: posix.join(folder, name) },
  });
}

async function realPath(handle: SandboxHandle, path: string): Promise<string> {
  const absolute = posix.resolve(handle.workdir, path);
  const { stdout, exitCode } = await handle.exec(`readlink -f -- ${shellQuote(absolute)}`);
  if (exitCode === 0) return stdout.replace(/\n$/, '');
  throw new HermesError('SANDBOX_FILE_MISSING', `There is no ${path} in the sandbox.`, { details: { path } });
}

function refused(path: string, reason: string): HermesError {
  return new HermesError('SANDBOX_FILE_REFUSED', `${path} is not taken out: ${reason}.`, {
    details: { path, reason },
  });
}
