import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdAlone } from './sole-holder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-hold-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('has one holder at a time, in the same process too', () => {
  const path = join(folder, 'gateway.lock');
  const hold = holdAlone(path);
  expect(hold).toBeDefined();
  expect(holdAlone(path)).toBeUndefined();
  expect(holdAlone(path)).toBeUndefined();
  hold?.release();
  const next = holdAlone(path);
  expect(next).toBeDefined();
  next?.release();
});

it('leaves one private file', () => {
  holdAlone(join(folder, 'gateway.lock'))?.release();
  expect(readdirSync(folder)).toEqual(['gateway.lock']);
  expect(statSync(join(folder, 'gateway.lock')).mode & 0o777).toBe(0o600);
});
