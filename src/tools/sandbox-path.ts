// Paths as models write them. `~` is the home folder of the sandbox's user, as in a shell.
import { resolve } from 'node:path/posix';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { ToolContext } from './tool.ts';

/** The absolute path in the sandbox: where it was judged to lead, so that nothing decides about it a second time. */
export async function sandboxPath(
  handle: SandboxHandle,
  path: string,
  context: Pick<ToolContext, 'path'>,
): Promise<string> {
  if (context.path !== undefined) return context.path;
  if (path !== '~' && !path.startsWith('~/')) return resolve(handle.workdir, path);
  const { stdout } = await handle.exec('printf %s "$HOME"');
  return resolve(handle.workdir, stdout === '' ? path : stdout + path.slice(1));
}
