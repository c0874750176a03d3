// hermes redact as a process between two pipes (P7).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellQuote } from '../../src/base/shell-quote.ts';
import { within } from '../wait.ts';
import { runProgram } from './run-program.ts';

const entry = join(import.meta.dirname, '../../bin/hermes.js');

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'redact-'));
  await writeFile(join(home, '.env'), 'ANYTHING=ordinary-words\n', { mode: 0o600 });
});
afterAll(() => rm(home, { recursive: true }));

it('passes a line on while its input is still open', async () => {
  const child = spawn(process.execPath, [entry, 'redact'], { env: { HERMES_HOME: home } });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    shown += text;
  });
  child.stdin.write('first ordinary-');
  child.stdin.write('words\nsecond password=hunt');
  await expect.poll(() => shown).toBe('first [redacted:known]\n');
  child.stdin.end('er22');
  expect(await within(once(child, 'close'), 'its end')).toEqual([0, null]);
  expect(shown).toBe('first [redacted:known]\nsecond password=[redacted:password]');
});

it('keeps up with many megabytes and says nothing else', async () => {
  const hermes = [process.execPath, entry, 'redact'].map(shellQuote).join(' ');
  const script = `yes 'a line with ordinary-words' | head -n 1000000 | ${hermes} | sort -u`;
  const { code, stdout, stderr } = await runProgram(['bash', '-c', script], { env: { HERMES_HOME: home } });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'a line with [redacted:known]\n', stderr: '' });
});
