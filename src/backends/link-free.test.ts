import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkFreeStat, removeLinkFree } from './link-free.ts';

describe.skipIf(process.platform !== 'linux')('paths without links', () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'link-free-')));
    mkdirSync(join(dir, 'kept/deep'), { recursive: true });
    writeFileSync(join(dir, 'kept/deep/file'), 'kept');
    mkdirSync(join(dir, 'tree/deep'), { recursive: true });
    symlinkSync(join(dir, 'kept'), join(dir, 'tree/deep/link'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('are told apart from those with a link at the end or on the way', () => {
    expect(linkFreeStat(join(dir, 'kept/deep/file')).isFile()).toBe(true);
    for (const path of ['tree/deep/link', 'tree/deep/link/deep/file'])
      expect(() => linkFreeStat(join(dir, path))).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(() => linkFreeStat(join(dir, 'none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('are removed with what is below them, and links in them as links', () => {
    removeLinkFree(join(dir, 'tree'));
    expect(readdirSync(dir)).toEqual(['kept']);
    expect(readdirSync(join(dir, 'kept/deep'))).toEqual(['file']);
  });

  it('leave what is behind a link alone', () => {
    expect(() => removeLinkFree(join(dir, 'tree/deep/link/deep'))).toThrow();
    expect(readdirSync(join(dir, 'kept'))).toEqual(['deep']);
  });
});
