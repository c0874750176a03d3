import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headingsOf, linksOf, pagesOf } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const pages = pagesOf(root);

describe('pages', () => {
  it.each(pages)('%s leads only to what exists', page => {
    const dead = linksOf(root, page).filter(({ target, heading }) => {
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(root, target).includes(heading);
    });
    expect(dead.map(link => link.text)).toEqual([]);
  });

  it('are all reached from the README', () => {
    const reached = new Set(['README.md']);
    // A Set takes what is added while it is gone through.
    for (const page of reached) {
      for (const { target } of linksOf(root, page)) if (pages.includes(target)) reached.add(target);
    }
    expect(pages.filter(page => !reached.has(page))).toEqual([]);
  });
});
