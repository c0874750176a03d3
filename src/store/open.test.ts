import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './migrations/index.ts';
import { openStore } from './open.ts';

let home: string;
let file: string;
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'hermes-store-')), 'home');
  file = join(home, 'state.db');
});
afterEach(() => rmSync(join(home, '..'), { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A store with a few pages of content, closed again; its id. */
async function filledStore(): Promise<string> {
  const store = await openStore(home);
  for (let at = 0; at < 200; at += 1) {
    await store.audit.append({ actor: 'cli', action: 'command', subject: 'x'.repeat(200), outcome: 'ok' });
  }
  const { id } = await store.installation.read();
  await store.close();
  return id;
}

describe('a new store', () => {
  it('is a file 0600 in a folder 0700, and so are its companions', async () => {
    const store = await openStore(home);
    await store.installation.read();
    expect(modeOf(home)).toBe(0o700);
    expect(readdirSync(home).sort()).toEqual(['state.db', 'state.db-shm', 'state.db-wal']);
    for (const name of readdirSync(home)) expect(modeOf(join(home, name))).toBe(0o600);
    await store.close();
    expect(readdirSync(home)).toEqual(['state.db']);
  });

  it('is made once when several ask for it at the same time', async () => {
    // Some begin while others are half way or have just finished.
    const begin = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve));
      const store = await openStore(home);
      await store.installation.read();
      return store;
    };
    const stores = await Promise.all(Array.from({ length: 12 }, (_, at) => begin(at)));
    const records = await Promise.all(stores.map(store => store.installation.read()));
    expect(new Set(records.map(({ id }) => id)).size).toBe(1);
    await Promise.all(stores.map(store => store.close()));
    expect(readdirSync(home)).toEqual(['state.db']);
  });

  it('is not made beside the log of a lost one, which would be applied to it', async () => {
    mkdirSync(home);
    writeFileSync(`${file}-wal`, 'log');
    await expect(openStore(home)).rejects.toMatchObject({
      code: 'UNAVAILABLE_STORE',
      message: expect.stringContaining(`its log ${file}-wal is there`),
    });
    expect(readdirSync(home)).toEqual(['state.db-wal']);
  });

  it('says what is wrong with its folder', async () => {
    writeFileSync(home, 'a file');
    await expect(openStore(home)).rejects.toMatchObject({ code: 'UNAVAILABLE_STORE' });
  });
});

describe('a store whose file does not lead to it any more', () => {
  it.each([
    ['deleted', () => rmSync(file), 'it was deleted while it was open'],
    ['replaced', () => replace(), 'another file was put in its place'],
  ])('P12: says of nothing that it is written: %s', async (_, lose, why) => {
    const store = await openStore(home);
    await store.installation.recordGateway(1);
    store.checkFile();
    lose();
    const lost = { code: 'UNAVAILABLE_STORE', message: expect.stringContaining(why) };
    expect(() => store.checkFile()).toThrow(expect.objectContaining(lost));
    await expect(store.installation.recordGateway(2)).rejects.toMatchObject(lost);
    const write = store.together(({ installation }) => installation.recordGateway(3));
    await expect(write).rejects.toMatchObject(lost);
    await store.close();
  });

  function replace(): void {
    writeFileSync(`${file}.new`, 'another');
    renameSync(`${file}.new`, file);
  }
});

describe('an existing store', () => {
  it('is closed when what was under way is done', async () => {
    const store = await openStore(home);
    const writing = store.transaction(async ({ audit }) => {
      for (let at = 0; at < 3; at += 1) {
        await audit.append({ actor: 'cli', action: 'command', subject: String(at), outcome: 'ok' });
      }
    });
    await store.close();
    await writing;
    const again = await openStore(home);
    expect(await again.audit.list({ limit: 10 })).toHaveLength(3);
    await again.close();
  });

  it('is opened again with what it had', async () => {
    const id = await filledStore();
    const store = await openStore(home);
    expect((await store.installation.read()).id).toBe(id);
    expect(await store.audit.list({ limit: 500 })).toHaveLength(200);
    await store.close();
  });

  it('is found through a symbolic link', async () => {
    const id = await filledStore();
    renameSync(file, join(home, 'elsewhere.db'));
    symlinkSync('elsewhere.db', file);
    const store = await openStore(home);
    expect((await store.installation.read()).id).toBe(id);
    await store.close();
  });

  it('becomes private when a copy that others could read was put back', async () => {
    await filledStore();
    chmodSync(file, 0o644);
    const store = await openStore(home);
    await store.installation.recordGateway(1);
    for (const name of readdirSync(home)) expect(modeOf(join(home, name))).toBe(0o600);
    await store.close();
  });

  it.runIf(process.platform === 'linux')('keeps its locks when the same process opens it again', async () => {
    const store = await openStore(home);
    const locks = (): number => {
      const lines = readFileSync('/proc/locks', 'utf8').split('\n');
      return lines.filter(
        line => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `),
      ).length;
    };
    expect(locks()).toBe(1);
    await (await openStore(home)).close();
    expect(locks()).toBe(1);
    await store.close();
    expect(locks()).toBe(0);
  });
});

/** Every file of the folder with its bytes, but for the index that readers share. */
function contents(): Record<string, string> {
  const names = readdirSync(home).filter(name => !name.endsWith('-shm'));
  const read = names.map(name => [name, readFileSync(join(home, name), 'latin1')] as const);
  return Object.fromEntries(read.filter(([, text]) => text.length > 0));
}

function overwrite(position: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

function withSqlite(statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

describe('a store that cannot be trusted is refused with what to do, and left as it is', () => {
  const wrong: readonly [string, () => void, string][] = [
    ['newer', () => withSqlite(`pragma user_version = ${migrations.length + 1}`), 'Update Hermes'],
    ['of another program', () => withSqlite('pragma application_id = 7'), 'another program made it'],
    ['without a version', () => withSqlite('pragma user_version = 0'), 'it has no version'],
    ['emptied', () => truncateSync(file, 0), 'only 0 bytes of it are left'],
    ['cut within a page', () => truncateSync(file, statSync(file).size - 1000), 'its end is missing'],
    ['cut after a page', () => truncateSync(file, statSync(file).size - 8192), 'its content is broken'],
    ['cut within its header', () => truncateSync(file, 50), 'only 50 bytes of it are left'],
    ['no database', () => overwrite(0, Buffer.from('Dear diary')), 'not an SQLite database'],
    [
      'overwritten in its middle',
      () => overwrite(4096 * 3, Buffer.alloc(4096 * 2, 0xff)),
      'content is broken',
    ],
    ['overwritten in its schema', () => overwrite(100, Buffer.alloc(200, 0xff)), 'its content is broken'],
  ];

  it.each(wrong)('%s', async (_, spoil, message) => {
    await filledStore();
    spoil();
    const before = contents();
    await expect(openStore(home)).rejects.toMatchObject({
      code: 'UNAVAILABLE_STORE',
      message: expect.stringContaining(message),
    });
    expect(contents()).toEqual(before);
  });

  it('newer, while that is known to the log of a dead process alone', async () => {
    await filledStore();
    const script = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(${JSON.stringify(file)});
      db.exec('pragma user_version = 99'); process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL');
    const before = contents();
    expect(Object.keys(before)).toContain('state.db-wal');
    await expect(openStore(home)).rejects.toThrow('a newer Hermes made it (version 99');
    expect(contents()).toEqual(before);
  });

  it('no file but a folder or a pipe', async () => {
    mkdirSync(file, { recursive: true });
    await expect(openStore(home)).rejects.toThrow('it is not a file');
    rmSync(file, { recursive: true });
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    await expect(openStore(home)).rejects.toThrow('it is not a file');
  });

  it('damaged in a page that is read only later', async () => {
    await filledStore();
    overwrite(statSync(file).size - 4096 * 8, Buffer.alloc(4096 * 8, 0xff));
    const store = await openStore(home, { examine: 'head' });
    await expect(store.audit.list({ limit: 500 })).rejects.toMatchObject({
      code: 'UNAVAILABLE_STORE',
      message: expect.stringContaining('its content is broken'),
    });
    await store.close();
  });
});
