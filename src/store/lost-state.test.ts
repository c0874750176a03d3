import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markedId, markInstallation, refuseLostState } from './lost-state.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-lost-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const BACKUP = 'hermes-20261115-162955-k3v9.tar.gz';

it('lets an empty home begin', async () => {
  await refuseLostState(home);
  mkdirSync(join(home, 'backups'));
  writeFileSync(join(home, 'backups', 'notes.txt'), '');
  mkdirSync(join(home, 'sandboxes'));
  await refuseLostState(home);
});

it.each([
  ['a backup', () => put('backups', BACKUP), '1 backup is'],
  ['folders of sandboxes', () => put('sandboxes', 'hermes-abc'), 'folders of sandboxes are'],
  ['the mark of an installation', () => markInstallation(home, 'abc'), 'installation.json is'],
])('refuses to start without its state where there is %s, and says what to do', async (_, prepare, trace) => {
  await prepare();
  await expect(refuseLostState(home)).rejects.toMatchObject({
    code: 'UNAVAILABLE_STORE',
    message: expect.stringMatching(new RegExp(`${trace}.*hermes backup restore.*--new-state`)),
  });
  writeFileSync(join(home, 'state.db'), '');
  await refuseLostState(home);
});

it('remembers the installation, and takes a damaged mark for none', async () => {
  await markInstallation(home, 'abc');
  await markInstallation(home, 'abc');
  expect(await markedId(home)).toBe('abc');
  writeFileSync(join(home, 'installation.json'), '{"id":');
  expect(await markedId(home)).toBeUndefined();
});

function put(folder: string, name: string): void {
  mkdirSync(join(home, folder));
  writeFileSync(join(home, folder, name), '');
}
