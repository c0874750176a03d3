// Known values written byte by byte as numbers: `70 6c`, `70:6c`, `706c 6169`, `\x70\x6c`, `%70%6c`, `0x70, 0x6c`.
import { RANK, type Shape } from './shape.ts';

/** Fewer bytes are in too many dumps by chance. */
const FEWEST = 6;
/** What programs write between two bytes, and before each of them. */
const BETWEEN = new Set([' ', ':', ',', '-', ';']);
const MOST_BETWEEN = 2;
const MARKS = ['\\\\x', '\\x', '\\\\u00', '\\u00', '%', '0x', '&#x'];

/** Undefined for a value that is too short to be told by its bytes. */
export function hexShape(value: string): Shape | undefined {
  const bytes = [...Buffer.from(value, 'utf8')].map(byte => byte.toString(16).padStart(2, '0'));
  const [first = '', second = ''] = bytes;
  if (bytes.length < FEWEST) return undefined;
  const betweens = [
    '',
    ' ',
    ':',
    '-',
    '  ',
    ', 0x',
    ',0x',
    ' 0x',
    '\\x',
    '\\\\x',
    '\\u00',
    '\\\\u00',
    '%',
    ';&#x',
  ];
  return {
    anchors: betweens.map(between => first + between + second),
    letters: 'any-case',
    find(text, at) {
      const end = endOfBytes(text, at, bytes);
      return end === undefined ? [] : [{ start: at, end, kind: 'known', rank: RANK.known }];
    },
  };
}

/** Where the bytes end that begin at `at`; undefined when others stand there. */
function endOfBytes(text: string, at: number, bytes: readonly string[]): number | undefined {
  let next = at;
  for (const byte of bytes) {
    const from = next === at ? at : afterBetween(text, next);
    if (text.slice(from, from + 2).toLowerCase() !== byte) return undefined;
    next = from + 2;
  }
  return next;
}

function afterBetween(text: string, at: number): number {
  let next = at;
  while (next - at < MOST_BETWEEN && BETWEEN.has(text.charAt(next))) next++;
  const mark = MARKS.find(each => text.startsWith(each, next));
  return next + (mark?.length ?? 0);
}
