import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { logPath } from '../../../gateway/process/log-file.ts';
import { logText } from './logs.ts';
import { followLog, lastLines } from './read-log.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-logs-'));
  path = logPath(home);
  mkdirSync(dirname(path));
});
afterEach(() => rmSync(home, { recursive: true }));

const all = () => true;

describe('the newest lines', () => {
  it('come from as many files as they need, oldest first', async () => {
    writeFileSync(`${path}.2`, 'a\nb\n');
    writeFileSync(`${path}.1`, 'c\nd\n');
    writeFileSync(path, 'e\nhalf');
    expect((await lastLines(path, 2, all)).lines).toEqual(['d', 'e']);
    expect((await lastLines(path, 4, all)).lines).toEqual(['b', 'c', 'd', 'e']);
    expect((await lastLines(path, 100, line => line !== 'c')).lines).toEqual(['a', 'b', 'd', 'e']);
    expect((await lastLines(path, 0, all)).lines).toEqual([]);
  });

  it('are none where there is no log', async () => {
    expect((await lastLines(path, 10, all)).lines).toEqual([]);
  });
});

it('follows the log over a new file, without losing or repeating a line', async () => {
  writeFileSync(path, 'one\n');
  const { end } = await lastLines(path, 10, all);
  const abort = new AbortController();
  const clock = {
    ...systemClock,
    after: (_ms: number, fire: () => void) => systemClock.after(0, fire, { keepAlive: true }),
  };
  const lines = followLog({ path, from: end, clock, signal: abort.signal });
  const next = async () => (await lines.next()).value;
  appendFileSync(path, 'two\n');
  expect(await next()).toBe('two');
  appendFileSync(path, 'three\n');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'four\n');
  expect([await next(), await next()]).toEqual(['three', 'four']);
  abort.abort();
  expect((await lines.next()).done).toBe(true);
});

describe('a line for people', () => {
  it('has time, level, message and the rest, and nothing that moves the cursor', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: 'T',
      session: 'k3',
      n: 1,
      t: 'a b',
      msg: 'x\u001b[2Jy\nz',
    });
    expect(logText(line)).toBe('T warn  xy z session=k3 n=1 t="a b"');
  });

  it('shows the stack of an error below, and a broken line as it is', () => {
    const line = JSON.stringify({ level: 'error', time: 'T', err: { stack: 'Error: x\n  at y' }, msg: 'm' });
    expect(logText(line)).toBe('T error m\n    Error: x\n      at y');
    expect(logText('{"half')).toContain('{"half');
  });
});
