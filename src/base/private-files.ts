// State on disk: folders 0700, files 0600, written whole or not at all (P11).
import { chmod, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorCode } from './errors.ts';
import { newId } from './ids.ts';

export async function ensurePrivateDir(dir: string): Promise<void> {
  const made = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(dir, 0o700);
}

/**
 * Replaces the file in one step: a reader sees the old content or the new, a crash leaves one of the two, and a
 * failure leaves the old one untouched. A symlink keeps pointing where it did; its target is replaced.
 */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = await realPathOf(path);
  const temporary = `${target}.${newId()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDir(dirname(target));
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return linkTargetOf(path);
    throw error;
  }
}

/** Where a link points whose target is yet to be made; the path itself if it is no link. */
async function linkTargetOf(path: string): Promise<string> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EINVAL' || code === 'ENOENT') return path;
    throw error;
  }
}

/** Makes the rename itself durable. */
async function syncDir(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
