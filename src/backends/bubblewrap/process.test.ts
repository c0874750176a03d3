import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPipes } from './process.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pipes-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The starter has made the pipes; then code in the sandbox puts something else in the place of the first one. */
function replaced(put: (path: string) => void): () => unknown {
  execFileSync(
    'mkfifo',
    ['1', '2', 'elsewhere'].map(name => join(dir, name === 'elsewhere' ? name : `7.${name}`)),
  );
  put(join(dir, '7.0'));
  return () => openPipes(dir, '7');
}

describe('pipes that code in the sandbox has replaced', () => {
  it('are refused when they are links, also to a pipe', () => {
    const open = replaced(path => symlinkSync(join(dir, 'elsewhere'), path));
    expect(open).toThrow(expect.objectContaining({ code: 'ELOOP' }));
  });

  it('are refused when they are files, which stay as they are', () => {
    const open = replaced(path => writeFileSync(path, 'kept'));
    expect(open).toThrow(expect.objectContaining({ code: 'SANDBOX_GONE' }));
    expect(readdirSync(dir)).toContain('7.0');
  });

  it('do not keep the gateway waiting when the other end is closed', () => {
    const open = replaced(path => execFileSync('mkfifo', [path]));
    expect(open).toThrow(expect.objectContaining({ code: 'ENXIO' }));
  });
});
