import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { renderTable, wrapText } from './table.ts';

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

  it('fits many columns too, by making them narrower than it likes to', () => {
    const head = ['backend', 'state', 'isolation', 'ready', 'enforced'];
    const table = renderTable(head, [['docker', 'does not work', 'container', '10 ms', 'enforced']], look);
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
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

describe('wrapText', () => {
  it('indents further lines as the first one is', () => {
    expect(wrapText('  some words that do not fit into one line', look)).toBe(
      '  some words that do not fit into one\n  line',
    );
  });

  it('keeps what stands in backticks whole, so that it can be copied', () => {
    expect(wrapText('Start the engine first: `systemctl start docker`, and again', look)).toBe(
      'Start the engine first:\n`systemctl start docker`, and again',
    );
  });
});
