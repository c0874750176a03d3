// What was typed into an editor of lines, kept in a file of the home from one sitting to the next.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../base/errors.ts';
import { ensurePrivateDir, writePrivateFile } from '../base/private-files.ts';

export interface LineHistory {
  /** Oldest first; empty where there was none. */
  read(): Promise<string[]>;
  save(lines: readonly string[]): Promise<void>;
}

export function lineHistory(home: string, name: 'chat_history' | 'shell_history'): LineHistory {
  const file = join(home, name);
  return {
    async read() {
      try {
        return (await readFile(file, 'utf8')).split('\n').filter(line => line !== '');
      } catch (error) {
        if (systemErrorCode(error) === 'ENOENT') return [];
        throw error;
      }
    },
    async save(lines) {
      await ensurePrivateDir(home);
      await writePrivateFile(file, lines.map(line => `${line}\n`).join(''));
    },
  };
}
