import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ifThere } from './if-there.ts';

const here = import.meta.dirname;

it('answers with what is there, and with nothing for what is not', async () => {
  expect(await ifThere(readdir(here))).toContain('if-there.ts');
  expect(await ifThere(readdir(join(here, 'nowhere')))).toBeUndefined();
});

it('throws every other error on', async () => {
  await expect(ifThere(readFile(here, 'utf8'))).rejects.toThrow('EISDIR');
});
