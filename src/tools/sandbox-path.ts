// Paths as models write them. `~` is the home folder of the sandbox's user, as in a shell.
import { resolve } from 'node:path/posix';
import type { SandboxHandle } from '../sandboxes/handle.ts';

/** The absolute path in the sandbox. */
export async function sandboxPath(handle: SandboxHandle, path: string): Promise<string> {
  if (path !== '~' && !path.startsWith('~/')) return resolve(handle.workdir, path);
  const { stdout } = await handle.exec('printf %s "$HOME"');
  return resolve(handle.workdir, stdout === '' ? path : stdout + path.slice(1));
}
