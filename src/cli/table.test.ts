import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { renderTable } from './table.ts';

const look = { colors: picocolors.createColors(false), columns: 40 };

describe('renderTable', () => {
  it('aligns columns', () => {
    expect(
      renderTable(
        ['a', 'bb'],
        [
          ['long', 'x'],
          ['s', 'y'],
        ],
        look,
      ),
    ).toBe('a     bb\nlong  x\ns     y');
  });

  it('wraps the widest column at spaces and keeps the others whole', () => {
    const table = renderTable(['k', 'v'], [['key', 'some words that do not fit into the line at all']], look);
    expect(table.split('\n')).toEqual([
      'k    v',
      'key  some words that do not fit into the',
      '     line at all',
    ]);
  });

  it('counts what is seen, not the colours, and colours every line of a wrapped cell', () => {
    const red = picocolors.createColors(true).red;
    const lines = renderTable(['h'], [[red('x'.repeat(50))]], look).split('\n');
    expect(lines.slice(1).map(line => stripVTControlCharacters(line).length)).toEqual([40, 10]);
    for (const line of lines.slice(1)) expect(line).toMatch(/^\x1b\[31mx+\x1b\[39m$/);
  });

  it('fits the width for any words, as long as there are few columns', () => {
    const row = fc.tuple(fc.string(), fc.string(), fc.string({ maxLength: 10 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), rows => {
        const plain = rows.map(cells => cells.map(cell => cell.replace(/[^ -~]/g, '')));
        for (const line of renderTable(['a', 'b', 'c'], plain, look).split('\n')) {
          expect(line.length).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});
