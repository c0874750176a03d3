// Reads an archive and holds every byte of it against its manifest. What is not exactly as it was written is refused.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reason.ts';
import { type BackupFile, fitsManifest, MANIFEST, type Manifest, parseManifest } from './manifest.ts';
import { BLOCK, paddingOf, parseHeader, type TarHeader, unreadable } from './tar.ts';

/** Only the manifest; the rest of the archive is not looked at. Throws USAGE_BACKUP_UNUSABLE. */
export function readManifest(file: string): Promise<Manifest> {
  return withBytes(file, manifestOf);
}

/** Everything into `folder`, private. Throws USAGE_BACKUP_UNUSABLE; what has been written by then is the caller's to remove. */
export function unpackArchive(file: string, folder: string): Promise<Manifest> {
  return withBytes(file, async bytes => {
    const manifest = await manifestOf(bytes);
    for (const expected of manifest.files) {
      const header = await nextHeader(bytes);
      if (header?.name !== expected.name || header.size !== expected.size)
        throw unreadable(`${expected.name} is missing in it`);
      await unpackFile(bytes, expected, join(folder, expected.name));
    }
    if (await nextHeader(bytes)) throw unreadable('it holds more than its manifest says');
    // The checksum of the compression itself stands at the very end.
    await bytes.drain();
    return manifest;
  });
}

async function manifestOf(bytes: Bytes): Promise<Manifest> {
  const header = await nextHeader(bytes);
  if (header?.name !== MANIFEST || !fitsManifest(header.size)) throw unreadable('it has no manifest');
  const manifest = parseManifest((await bytes.take(header.size)).toString('utf8'));
  if (!manifest) throw unreadable('its manifest is broken');
  await bytes.take(paddingOf(header.size));
  return manifest;
}

async function nextHeader(bytes: Bytes): Promise<TarHeader | undefined> {
  return parseHeader(await bytes.take(BLOCK));
}

async function unpackFile(bytes: Bytes, { name, size, sha256 }: BackupFile, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    for await (const piece of bytes.pieces(size)) {
      hash.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await bytes.take(paddingOf(size));
  if (hash.digest('hex') !== sha256) throw unreadable(`the content of ${name} has changed`);
}

/** The bytes of an archive in order, as many at a time as are wanted. */
class Bytes {
  readonly #file: string;
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string, source: AsyncIterable<Buffer>) {
    this.#file = file;
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for await (const piece of this.pieces(count)) taken.push(piece);
    return Buffer.concat(taken);
  }

  async *pieces(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  /** To the end; what still comes must be empty. */
  async drain(): Promise<void> {
    for (let piece: Buffer | undefined = this.#rest; piece; ) {
      if (piece.some(byte => byte !== 0)) throw unreadable('something follows behind its end');
      piece = await this.#read();
    }
  }

  async #next(): Promise<Buffer> {
    const piece = await this.#read();
    if (!piece) throw unreadable('its end is missing');
    return piece;
  }

  async #read(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await this.#source.next();
      return done ? undefined : value;
    } catch (error) {
      throw inWords(error, this.#file);
    }
  }
}

async function withBytes<T>(file: string, work: (bytes: Bytes) => Promise<T>): Promise<T> {
  const unzipped = createGunzip();
  const reading = pipeline(createReadStream(file), unzipped);
  // Whoever reads hears of a failure; nobody else has to.
  reading.catch(error => error);
  try {
    return await work(new Bytes(file, unzipped));
  } finally {
    unzipped.destroy();
  }
}

function inWords(error: unknown, file: string): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  if (code.startsWith('Z_')) return unreadable('its compression is broken', error);
  const why = code === 'ENOENT' ? 'there is no such file' : systemReason(error);
  const message = `${file} cannot be read: ${why}. \`hermes backup list\` shows the backups of this installation.`;
  return new HermesError('USAGE_HOST_FILE', message, { details: { path: file }, cause: error });
}
