// What the platform keeps between two lives of the gateway: small files of JSON in its own folder (P11).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../base/if-there.ts';
import { jsonOf } from '../../base/json-of.ts';
import { ensurePrivateDir, writePrivateFile } from '../../base/private-files.ts';

export interface Folder {
  /** Undefined when there is none, or when it is no JSON. */
  read(name: string): Promise<unknown>;
  write(name: string, value: unknown): Promise<void>;
}

/** Without a home nothing is kept. */
export function folderIn(home: string | undefined): Folder {
  if (home === undefined) return { read: async () => undefined, write: async () => {} };
  const folder = join(home, 'signal');
  return {
    async read(name) {
      const text = await ifThere(readFile(join(folder, name), 'utf8'));
      return text === undefined ? undefined : jsonOf(text);
    },
    async write(name, value) {
      await ensurePrivateDir(folder);
      await writePrivateFile(join(folder, name), JSON.stringify(value));
    },
  };
}
