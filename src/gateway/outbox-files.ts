// The bytes of files on their way to a chat: one private file each below the home folder, until the platform has them (P11).

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../base/ids.ts';
import { ifThere } from '../base/if-there.ts';
import { ensurePrivateDir, writePrivateFile } from '../base/private-files.ts';

export class OutboxFiles {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'outbox');
  }

  /** Returns the name to write down; it is there before the row that names it. */
  async put(bytes: Uint8Array): Promise<string> {
    const name = newId();
    await ensurePrivateDir(this.#folder);
    await writePrivateFile(join(this.#folder, name), bytes);
    return name;
  }

  read(name: string): Promise<Uint8Array> {
    return readFile(join(this.#folder, name));
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  /** At start: a crash may have come between a file and its row, or between its sending and its removal. */
  async removeOthers(wanted: ReadonlySet<string>): Promise<void> {
    for (const name of await this.#names()) if (!wanted.has(name)) await this.remove(name);
  }

  async #names(): Promise<readonly string[]> {
    return (await ifThere(readdir(this.#folder))) ?? [];
  }
}
