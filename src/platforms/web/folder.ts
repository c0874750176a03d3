// Files of the web chat on disk, by person: what was uploaded until it is fetched, and what the agent has sent.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { ifThere } from '../../base/if-there.ts';
import { ensurePrivateDir, writePrivateFile } from '../../base/private-files.ts';
import type { SentFile } from './protocol.ts';

/** How long an upload waits for its message, and a message for being read. */
const UPLOAD_LIFE_MS = 7 * 86_400_000;
const MOST_UPLOADS = 50;
const MOST_BYTES = 512 * 1024 * 1024;

/** What stands in the event; the gateway gives it back to fetch the bytes. */
const uploadRef = z.object({
  who: z.string().regex(/^[0-9a-f]{32}$/),
  id: z.string().regex(/^[a-z0-9]{1,32}$/),
});
export type UploadRef = z.infer<typeof uploadRef>;

const uploadFacts = z.object({ name: z.string(), size: z.number() });

export class WebFolder {
  readonly path: string;
  readonly #clock: Clock;
  readonly #isTemporary: boolean;

  private constructor(path: string, clock: Clock, isTemporary: boolean) {
    this.path = path;
    this.#clock = clock;
    this.#isTemporary = isTemporary;
  }

  /** Without a home nothing outlives the connection. */
  static async open(home: string | undefined, clock: Clock): Promise<WebFolder> {
    const path = home === undefined ? await mkdtemp(join(tmpdir(), 'hermes-web-')) : join(home, 'web');
    const folder = new WebFolder(path, clock, home === undefined);
    for (const part of [path, join(path, 'uploads'), join(path, 'files'), join(path, 'chats')]) {
      await ensurePrivateDir(part);
    }
    return folder;
  }

  /** Throws USAGE_NOT_DELIVERED when too much of this person waits already, and what reading the content throws. */
  async keepUpload(person: string, name: string, content: AsyncIterable<Uint8Array>): Promise<SentFile> {
    const dir = join(this.path, 'uploads', keyOf(person));
    await ensurePrivateDir(dir);
    await this.#forgetOld(dir);
    const names = await readdir(dir);
    const sizes = await Promise.all(names.map(async each => (await stat(join(dir, each))).size));
    if (names.length >= 2 * MOST_UPLOADS || sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) {
      throw new HermesError(
        'USAGE_NOT_DELIVERED',
        `Too much waits already: ${MOST_UPLOADS} uploads, or ${MOST_BYTES} bytes.`,
      );
    }
    const id = newId();
    await writePrivateFile(join(dir, id), content);
    const { size } = await stat(join(dir, id));
    await writePrivateFile(join(dir, `${id}.json`), JSON.stringify({ name, size }));
    return { id, name, size };
  }

  /** What an event says of an upload; undefined when this person has none of that id. */
  async upload(person: string, id: string): Promise<(SentFile & { readonly ref: UploadRef }) | undefined> {
    const ref = { who: keyOf(person), id };
    if (!uploadRef.safeParse(ref).success) return undefined;
    const text = await ifThere(readFile(join(this.path, 'uploads', ref.who, `${id}.json`)));
    return text && { id, ...uploadFacts.parse(JSON.parse(text.toString())), ref };
  }

  /** Throws USAGE_NOT_DELIVERED when it is not there any more. */
  async fetchUpload(given: unknown): Promise<Uint8Array> {
    const ref = uploadRef.parse(given);
    const bytes = await ifThere(readFile(join(this.path, 'uploads', ref.who, ref.id)));
    if (bytes) return bytes;
    throw new HermesError('USAGE_NOT_DELIVERED', 'The uploaded file is not kept any more. Send it again.');
  }

  async keepSent(person: string, name: string, bytes: Uint8Array): Promise<SentFile> {
    const dir = join(this.path, 'files', keyOf(person));
    await ensurePrivateDir(dir);
    const id = newId();
    await writePrivateFile(join(dir, id), bytes);
    return { id, name, size: bytes.length };
  }

  /** Only what was sent to this person; to be closed by whoever reads it. */
  async sent(person: string, id: string): Promise<FileHandle | undefined> {
    return ifThere(open(join(this.path, 'files', keyOf(person), uploadRef.shape.id.parse(id))));
  }

  async forgetSent(person: string, files: readonly SentFile[]): Promise<void> {
    for (const { id } of files) await rm(join(this.path, 'files', keyOf(person), id), { force: true });
  }

  /** Where the entries of a chat are written down. */
  journal(chat: string): string {
    return join(this.path, 'chats', `${keyOf(chat)}.jsonl`);
  }

  async close(): Promise<void> {
    if (this.#isTemporary) await rm(this.path, { recursive: true, force: true });
  }

  async #forgetOld(dir: string): Promise<void> {
    for (const name of await readdir(dir)) {
      const { mtimeMs } = await stat(join(dir, name));
      if (this.#clock.now() - mtimeMs > UPLOAD_LIFE_MS) await rm(join(dir, name), { force: true });
    }
  }
}

/** A name for a folder that says nothing and cannot lead elsewhere. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
