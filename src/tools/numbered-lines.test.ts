import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../test/cpu.ts';
import { fitting, inRange, numberedLines } from './numbered-lines.ts';

const numbers = (original: string, redacted: string) =>
  numberedLines(original.split('\n'), redacted.split('\n'), 10).map(({ number }) => number);

describe('numberedLines', () => {
  it('counts on where nothing was joined', () => {
    expect(numbers('a\nb=1\nc', 'a\nb=[redacted:known]\nc')).toEqual([10, 11, 12]);
  });

  it('keeps the numbers after a key of many lines, also of lines that hold a mark themselves', () => {
    expect(numbers('a\nK\nK\nK\nend x\nz', 'a\n[redacted:private-key]\nend [redacted:known]\nz')).toEqual([
      10, 11, 14, 15,
    ]);
  });

  it('takes no more than linear time for marks that it does not find again', () => {
    expectLinear(20_000, size => {
      const lines = Array.from({ length: size }, (_, at) => `line ${at}`);
      const marked = lines.map((_, at) => `no [redacted:key] line ${at}x`).slice(1);
      numberedLines(lines, marked, 1);
    });
  });

  it('finds its way over keys that lie side by side', () => {
    expect(numbers('K\nK\nL\nL\nlast', '[redacted:private-key]\n[redacted:private-key]\nlast')).toEqual([
      10, 11, 14,
    ]);
  });
});

describe('inRange', () => {
  const lines = [
    { number: 1, text: 'a' },
    { number: 2, text: '[redacted:private-key]' },
    { number: 20, text: 'b' },
  ];

  it('takes a mark for all the lines that it stands for', () => {
    expect(inRange(lines, 10, 5)).toEqual([lines[1]]);
    expect(inRange(lines, 20, 1)).toEqual([lines[2]]);
    expect(inRange(lines, 1, 1)).toEqual([lines[0]]);
  });
});

describe('fitting', () => {
  it('stops where the room ends, and shows a line that is longer than all of it', () => {
    const lines = [1, 2, 3].map(number => ({ number, text: 'x'.repeat(10) }));
    expect(fitting(lines, 40)).toHaveLength(2);
    expect(fitting(lines, 1)).toHaveLength(1);
    expect(fitting(lines, 1000)).toBe(lines);
  });
});
