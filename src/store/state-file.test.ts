import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatewayLock } from '../sessions/gateway-lock.ts';
import { openStore } from './open.ts';
import { holdAlone } from './sole-holder.ts';
import { stateFile } from './state-file.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-state-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** As the original Hermes makes it, as far as it is looked at. */
function putOriginal(): Buffer {
  const path = join(home, 'state.db');
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal');
  for (const name of ['schema_version', 'sessions', 'messages'])
    database.exec(`create table ${name} (id text)`);
  database.close();
  return readFileSync(path);
}

it('the state of the original is left alone, and ours stands beside it', async () => {
  const before = putOriginal();
  const store = await openStore(home);
  const { id } = await store.installation.read();
  await store.close();
  expect(stateFile(home)).toBe(join(home, 'gateway-state.db'));
  expect(readdirSync(home).sort()).toEqual(['gateway-state.db', 'state.db']);
  expect(readFileSync(join(home, 'state.db')).equals(before)).toBe(true);
  const again = await openStore(home);
  expect((await again.installation.read()).id).toBe(id);
  await again.close();
});

it('a state of ours keeps its name', async () => {
  await (await openStore(home)).close();
  expect(stateFile(home)).toBe(join(home, 'state.db'));
});

it('a lock of the original is left alone', () => {
  const hold = holdAlone(gatewayLock(home));
  expect(gatewayLock(home)).toBe(join(home, 'gateway.lock'));
  hold?.release();
  writeFileSync(join(home, 'gateway.lock'), '{"pid": 1}');
  const other = gatewayLock(home);
  expect(other).toBe(join(home, 'hermes-gateway.lock'));
  holdAlone(other)?.release();
});
