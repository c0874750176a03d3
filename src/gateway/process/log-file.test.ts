import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logPath, openLogFile } from './log-file.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-log-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('the file of the log', () => {
  it('is private, in a private folder (P11), also when it was not before', () => {
    const path = logPath(home);
    openLogFile({ path, maxBytes: 100, files: 2 }).close();
    chmodSync(path, 0o644);
    openLogFile({ path, maxBytes: 100, files: 2 }).close();
    expect([mode(join(home, 'logs')), mode(path)]).toEqual([0o700, 0o600]);
  });

  it('stands beside a log of the original Hermes, which is left alone', () => {
    mkdirSync(join(home, 'logs'));
    writeFileSync(join(home, 'logs/gateway.log'), '2026-04-01 10:00:00 INFO started\n');
    expect(logPath(home)).toBe(join(home, 'logs/hermes-gateway.log'));
    writeFileSync(join(home, 'logs/gateway.log'), '{"level":"info"}\n');
    expect(logPath(home)).toBe(join(home, 'logs/gateway.log'));
  });

  it('is begun anew before it grows too large, and the oldest goes', () => {
    const path = logPath(home);
    const file = openLogFile({ path, maxBytes: 20, files: 3 });
    for (let at = 1; at <= 9; at++) file.write(`line ${at}\n`);
    file.close();
    expect(readdirSync(join(home, 'logs')).sort()).toEqual(['gateway.log', 'gateway.log.1', 'gateway.log.2']);
    expect(readFileSync(path, 'utf8')).toBe('line 9\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('line 7\nline 8\n');
    expect(readFileSync(`${path}.2`, 'utf8')).toBe('line 5\nline 6\n');
    for (const name of readdirSync(join(home, 'logs'))) expect(mode(join(home, 'logs', name))).toBe(0o600);
  });

  it('goes on where it was, and counts what is there', () => {
    const path = logPath(home);
    for (const text of ['one\n', 'two\n', 'three\n']) {
      const file = openLogFile({ path, maxBytes: 9, files: 2 });
      file.write(text);
      file.close();
    }
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(path, 'utf8')).toBe('three\n');
  });

  it('has one file when one is wanted, and a line longer than a file is kept whole', () => {
    const path = logPath(home);
    const file = openLogFile({ path, maxBytes: 10, files: 1 });
    for (const text of ['first\n', `${'x'.repeat(50)}\n`]) file.write(text);
    file.close();
    expect(readdirSync(join(home, 'logs'))).toEqual(['gateway.log']);
    expect(readFileSync(path, 'utf8')).toBe(`${'x'.repeat(50)}\n`);
  });
});
