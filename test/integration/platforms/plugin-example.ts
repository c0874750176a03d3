// The plugin of docs/platforms/plugins.md as a user would have it, and the other side of its chat: a folder.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Column, Peer, Place, Seen } from '../../conformance-platforms/column.ts';

const page = join(import.meta.dirname, '../../../docs/platforms/plugins.md');
const PEOPLE: Readonly<Record<string, string>> = { private: 'ada', other: 'bob' };

/** What stands in the page between ```ts and ```. */
export async function exampleSource(): Promise<string> {
  const [, source] = /^```ts\n([\s\S]*?)^```$/m.exec(await readFile(page, 'utf8')) ?? [];
  if (source === undefined) throw new Error(`there is no example in ${page}`);
  return source;
}

export const column: Column = {
  name: 'folder-chat',
  capabilities: {
    maxText: 4000,
    edits: false,
    editEveryMs: 0,
    buttons: false,
    maxButtonData: 0,
    typing: false,
    groups: false,
    threads: false,
    maxFileIn: 0,
    maxFileOut: 10 * 1024 * 1024,
    isPublic: false,
  },
  powers: ['otherSays'],
  async open() {
    const folder = await mkdtemp(join(homedir(), '.hermes-plugin-'));
    const module = join(folder, 'code', 'folder-chat.mts');
    await mkdir(join(folder, 'code'), { mode: 0o700 });
    await writeFile(module, await exampleSource(), { mode: 0o600 });
    return {
      create: () => {
        throw new Error('a gateway makes it');
      },
      secrets: [],
      peer: peerOf(folder),
      environment: {
        GATEWAY_PLUGINS: JSON.stringify([{ name: 'folder-chat', module }]),
        FOLDER_CHAT_PATH: folder,
      },
      close: () => rm(folder, { recursive: true }),
    };
  },
};

function peerOf(folder: string): Peer {
  let count = 0;
  const say = (from: string, text: string): void => {
    const name = `${String(++count).padStart(4, '0')}.json`;
    mkdirSync(join(folder, 'in'), { recursive: true });
    writeFileSync(join(folder, 'in', `.${name}`), JSON.stringify({ from, text }));
    renameSync(join(folder, 'in', `.${name}`), join(folder, 'in', name));
  };
  const seen = (place: Place = 'private'): readonly Seen[] => {
    const out = join(folder, 'out');
    const names = readdirSync(out).filter(name => /^\d+\.json$/.test(name));
    return names
      .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map(name => {
        // The example wrote it.
        const { to, text, file } = JSON.parse(readFileSync(join(out, name), 'utf8')) as Record<
          string,
          string
        >;
        const bytes =
          file === undefined ? {} : { file: { name: nameOf(file), bytes: readFileSync(join(out, file)) } };
        return { id: name, to, text: text ?? '', buttons: [], ...bytes };
      })
      .filter(({ to }) => to === PEOPLE[place]);
  };
  return {
    say: async ({ text }) => say('ada', text),
    otherSays: async text => say('bob', text),
    seen,
    whenSeen: () => Promise.reject(new Error('nobody waits here')),
  };
}

function nameOf(file: string): string {
  return file.replace(/^\d+-/, '');
}
