// Known values written byte by byte as numbers: `70 6c`, `70:6c`, `706c 6169`, `\x70\x6c`, `%70%6c`, `0x70, 0x6c`.
import { RANK, type Shape } from './shape.ts';
import { matchAt } from './sticky.ts';

/** Fewer bytes are in too many dumps by chance. */
const FEWEST = 6;
/** What programs write between two bytes, and before each of them. */
const BETWEEN = new Set([' ', ':', ',', '-', ';']);
const MOST_BETWEEN = 2;
/** From one row of a dump to the next: the letters of the first, and the offset of the second. */
const ROW =
  /(?:[ \t]{1,4}\|[^\r\n]{0,32}\|[ \t]{0,4}|[ \t]{2}[^\r\n]{1,32})?[ \t]{0,4}\r?\n(?:[0-9a-fA-F]{4,16}:?)?[ \t]{1,4}/y;
const REST_OF_ROW = /[^\r\n]{0,120}/y;
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
    // The last three are those of a row that ends with the first byte.
    anchors: [
      ...betweens.map(between => first + between + second),
      ...['  ', '\n', '\r'].map(end => first + end),
    ],
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
  let isOverRows = false;
  for (const byte of bytes) {
    const from = next === at ? at : afterBetween(text, next);
    if (isByte(text, from, byte)) {
      next = from + 2;
      continue;
    }
    const row = next + (matchAt(ROW, text, next)?.[0].length ?? 0);
    if (row === next || !isByte(text, row, byte)) return undefined;
    isOverRows = true;
    next = row + 2;
  }
  // The last letters of the value stand at the end of the row too.
  return isOverRows ? next + (matchAt(REST_OF_ROW, text, next)?.[0].length ?? 0) : next;
}

function isByte(text: string, at: number, byte: string): boolean {
  return text.slice(at, at + 2).toLowerCase() === byte;
}

function afterBetween(text: string, at: number): number {
  let next = at;
  while (next - at < MOST_BETWEEN && BETWEEN.has(text.charAt(next))) next++;
  const mark = MARKS.find(each => text.startsWith(each, next));
  return next + (mark?.length ?? 0);
}
