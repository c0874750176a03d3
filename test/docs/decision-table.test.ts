// The table by which people choose a backend has every one of them, and says of each what its driver declares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backendFacts, backendNames } from '../../src/backends/index.generated.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/backends/README.md'), 'utf8');
const rows = [...page.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) =>
  row.split(' | ').map(cell => cell.trim()),
);
const head = rows[0]?.map(cell => /^\[?(\w+)/.exec(cell)?.[1] ?? '') ?? [];
const cell = (row: string, backend: string): string =>
  rows.find(([name]) => name === `**${row}**`)?.[head.indexOf(backend)] ?? '';

describe('docs/backends/README.md', () => {
  it('has a column for every backend, and no cell is empty', () => {
    expect(head.slice(1).toSorted()).toEqual([...backendNames].toSorted());
    const table = rows.filter(([name]) => name?.startsWith('**'));
    expect(table.length).toBeGreaterThan(8);
    for (const each of table) expect(each.filter(text => text !== '')).toHaveLength(head.length);
  });

  it.each(Object.entries(backendFacts))('says of %s what its driver declares', (name, { capabilities }) => {
    const { isolation, networks, suspend } = capabilities;
    expect(cell('isolation', name)).toMatch(new RegExp(`^\`${isolation}\``));
    expect(cell('network', name).includes('always open')).toBe(!networks.some(each => each === 'none'));
    expect(cell('suspended when idle', name).startsWith('yes')).toBe(suspend);
  });
});
