// What was typed into an editor of lines, kept in a file of the home from one sitting to the next.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../base/if-there.ts';
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
      const text = (await ifThere(readFile(file, 'utf8'))) ?? '';
      return text.split('\n').filter(line => line !== '');
    },
    async save(lines) {
      await ensurePrivateDir(home);
      await writePrivateFile(file, lines.map(line => `${line}\n`).join(''));
    },
  };
}
