// hermes sandbox put: a file into a sandbox.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { join } from 'node:path/posix';
import { HermesError, isHermesError, systemErrorCode } from '../../../base/errors.ts';
import { defineCommand } from '../../command.ts';
import { sandboxArgument, type Visited, visit, visitFlags } from './visit-flags.ts';

/** As much as can be read back. */
const LARGEST_FILE = 512 * 1024 * 1024;

export const sandboxPut = defineCommand({
  doc: 'Copies a file of this machine into a sandbox, as bytes. Missing folders are made; a file that is there is replaced.',
  flags: visitFlags,
  args: [
    sandboxArgument,
    { name: 'hostpath', doc: 'the file of this machine' },
    { name: 'path', doc: 'file or folder in the sandbox; else where commands start', optional: true },
  ],
  examples: [
    ['sandbox put k3v9 data.csv', 'into its workspace'],
    ['sandbox put k3v9 data.csv inbox/', 'into a folder of it'],
    ['sandbox put k3v9 data.csv --wake', 'also when it is suspended'],
  ],
  async run({ flags, args }, context) {
    const { id, hostpath, path } = args;
    const bytes = await sizeOf(hostpath);
    return visit(
      context,
      {
        ...{ id, wake: flags.wake, action: 'put', subject: hostpath },
        judged: { kind: 'write', path: path ?? basename(hostpath), text: `(a file of ${bytes} bytes)` },
      },
      async ({ handle, entry, redact, path: judged = path ?? './' }) => {
        const target = await targetOf(handle, judged, basename(hostpath));
        await handle.upload(hostpath, target);
        return { sandbox: entry.id, hostPath: redact(hostpath), path: redact(target), bytes };
      },
    );
  },
  render: ({ path, bytes }) => `${path}: ${bytes} bytes`,
});

/** Asked before it is read: a pipe would block, and a device never ends. */
async function sizeOf(path: string): Promise<number> {
  const refused = (why: string, cause?: unknown): HermesError =>
    new HermesError('USAGE_HOST_FILE', `The file ${path} of this machine ${why}.`, {
      details: { path },
      cause,
    });
  try {
    const found = await stat(path);
    if (!found.isFile()) throw refused('is no file. Folders are copied as an archive, such as with tar');
    if (found.size > LARGEST_FILE) throw refused(`has more than ${LARGEST_FILE} bytes`);
    return found.size;
  } catch (error) {
    if (systemErrorCode(error) === undefined || isHermesError(error)) throw error;
    throw refused(`cannot be read: ${String(error)}`, error);
  }
}

/** Into a folder it goes under its own name. */
async function targetOf(handle: Visited['handle'], path: string, name: string): Promise<string> {
  if (path.endsWith('/')) return join(path, name);
  try {
    return (await handle.stat(path)).type === 'folder' ? join(path, name) : path;
  } catch (error) {
    if (isHermesError(error, 'SANDBOX_FILE_MISSING')) return path;
    throw error;
  }
}
