// Files that the agent sends: into a folder of the home, under a name that is free. Nothing is ever overwritten.
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { ensurePrivateDir } from '../../base/private-files.ts';
import { systemReason } from '../../base/system-reason.ts';
import { safeName } from '../../sessions/attachments.ts';
import type { OutgoingFile } from '../../tools/tool.ts';

export const MOST_FILE_BYTES = 100 * 1024 * 1024;
const MOST_OF_A_NAME = 1000;

/** Returns the path. */
export async function receive(home: string, { name, bytes }: OutgoingFile): Promise<string> {
  const folder = join(home, 'received');
  try {
    await ensurePrivateDir(home);
    await ensurePrivateDir(folder);
    for (const candidate of namesLike(safeName(name))) {
      if (await writeNew(join(folder, candidate), bytes)) return join(folder, candidate);
    }
  } catch (error) {
    const message = `${name} could not be written to ${folder}: ${systemReason(error)}.`;
    throw new HermesError('USAGE_HOST_FILE', message, { details: { folder }, cause: error });
  }
  throw new HermesError('USAGE_HOST_FILE', `${folder} has too many files called ${name}. Remove some.`);
}

function* namesLike(name: string): Generator<string> {
  yield name;
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let count = 2; count < MOST_OF_A_NAME; count++) yield `${stem}-${count}${extension}`;
}

/** False when there is something of that name. */
async function writeNew(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
