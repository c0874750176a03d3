// Writes staged files into one archive: the manifest first, so that a list of backups need not read them whole.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type BackupFile, MANIFEST, type Manifest } from './manifest.ts';
import { BLOCK, headerBlock, paddingOf } from './tar.ts';

/** The checksum of a staged file. */
export async function describeFile(staging: string, name: string): Promise<BackupFile> {
  const path = join(staging, name);
  const { size } = await stat(path);
  return { name, size, sha256: await checksumOf(path) };
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/** `target` must not exist. On disk when it resolves. */
export async function packArchive(staging: string, manifest: Manifest, target: string): Promise<void> {
  await pipeline(
    archiveOf(staging, manifest),
    createGzip(),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

async function* archiveOf(staging: string, manifest: Manifest): AsyncGenerator<Buffer> {
  const modified = Math.floor(manifest.madeAt / 1000);
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  yield headerBlock({ name: MANIFEST, size: text.length }, modified);
  yield text;
  yield Buffer.alloc(paddingOf(text.length));
  for (const file of manifest.files) {
    yield headerBlock(file, modified);
    yield* createReadStream(join(staging, file.name));
    yield Buffer.alloc(paddingOf(file.size));
  }
  yield Buffer.alloc(2 * BLOCK);
}
