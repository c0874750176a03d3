// `hermes setup` and `hermes doctor` on every platform that has an account elsewhere, against the other side of its column.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectablePlatforms } from '../../../src/platforms/credentials.ts';
import type { Ground } from '../../conformance-platforms/column.ts';
import { columns } from '../../conformance-platforms/columns.ts';
import { runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');

let home = '';
let ground: Ground | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'platforms-'));
});
afterEach(async () => {
  await ground?.close();
  ground = undefined;
  rmSync(home, { recursive: true, force: true });
});

const saved = (): string =>
  ['config.yaml', '.env']
    .map(name => join(home, name))
    .filter(path => existsSync(path))
    .map(path => readFileSync(path, 'utf8'))
    .join('');

describe.each(connectablePlatforms().map(({ name, credentials }) => ({ name, credentials })))(
  'set-up of $name',
  ({ name, credentials }) => {
    /** What is asked for on standard input; where the other side is, in the environment. */
    async function open() {
      const column = columns.find(each => each.name === name);
      ground = await column?.open();
      const given = Object.entries(ground?.environment ?? {});
      const isCredential = ([variable]: readonly [string, string]): boolean =>
        credentials.some(each => each.variable === variable);
      const env = { ...Object.fromEntries(given.filter(each => !isCredential(each))), HERMES_HOME: home };
      const run = (words: readonly string[], input = '') =>
        runProgram([process.execPath, program, ...words], { env: { ...env, NO_COLOR: '1' }, input });
      const setUp = (lines: readonly string[]) =>
        run(['setup', '--platform', name, '--yes', '--json'], lines.join('\n'));
      return { run, setUp, lines: given.filter(isCredential).map(([key, value]) => `${key}=${value}`) };
    }

    it('asks the service who we are there, saves what was given, and the doctor does the same', async () => {
      const { run, setUp, lines } = await open();
      expect(lines).toHaveLength(credentials.length);
      const { code, stdout, stderr } = await setUp(lines);
      expect(code, stderr).toBe(0);
      const { steps } = JSON.parse(stdout);
      expect(steps).toContainEqual({
        step: 'chat',
        outcome: 'set',
        said: expect.stringMatching(`^${name} .`),
      });
      for (const secret of ground?.secrets ?? []) expect(stdout + stderr).not.toContain(secret);
      const { areas } = JSON.parse((await run(['doctor', '--json'])).stdout);
      expect(areas).toContainEqual({ area: 'platforms', state: 'ok', said: expect.stringMatching(name) });
      // Nothing more on standard input: what is there is tried again.
      const again = JSON.parse((await setUp([])).stdout);
      expect(again.steps).toContainEqual({
        step: 'chat',
        outcome: 'kept',
        said: expect.stringMatching(name),
      });
    });

    it('saves nothing that the service refuses, nor half of what it needs', async () => {
      const { setUp, lines } = await open();
      const secret = credentials.find(({ isSecret }) => isSecret)?.variable;
      const wrong = lines.map(line =>
        line.startsWith(`${secret}=`) ? `${secret}=1:wrong-one-of-words` : line,
      );
      if (secret !== undefined) {
        const refused = await setUp(wrong);
        expect([refused.code, refused.stdout]).toEqual([77, '']);
        expect(refused.stderr).not.toContain('wrong-one-of-words');
      }
      if (lines.length > 1) {
        const half = await setUp(lines.slice(1));
        expect([half.code, half.stderr]).toEqual([2, expect.stringContaining(credentials[0]?.key ?? '')]);
      }
      expect(saved()).toBe('');
    });
  },
);
