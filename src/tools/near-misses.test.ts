import { describe, expect, it } from 'vitest';
import { nearMisses } from './near-misses.ts';

describe('nearMisses', () => {
  it('prefers what differs in white space only', () => {
    const file = 'if (a)  {\n\treturn b;\n}\nif (a) { return c; }\n';
    expect(nearMisses(file, 'if (a) {\n  return b;\n}')).toEqual([
      { line: 1, text: 'if (a)  {\n\treturn b;\n}', why: 'white space' },
    ]);
  });

  it('finds lines that look alike, the best first, at most three', () => {
    const file = [
      'const total = 1;',
      'const totals = 1;',
      'zzz',
      'const totals = 2;',
      'const total2 = 1;',
    ].join('\n');
    const found = nearMisses(file, 'const totals = 1; // x');
    expect(found).toHaveLength(3);
    expect(found[0]).toEqual({ line: 2, text: 'const totals = 1;', why: 'similar' });
  });

  it('shows as many lines as were sought, from where they would begin', () => {
    expect(nearMisses('a\nfunction sum() {\n  one\n}\n', '\nfunction summ() {\n  one\n}')).toEqual([
      { line: 2, text: 'function sum() {\n  one\n}', why: 'similar' },
    ]);
  });

  it('finds nothing where nothing is alike, and is quick about a large file', () => {
    expect(nearMisses('alpha\nbeta\n', 'something else entirely')).toEqual([]);
    const large = 'lorem ipsum dolor sit amet\n'.repeat(100_000);
    expect(nearMisses(large, 'nothing of that kind')).toEqual([]);
  });
});
