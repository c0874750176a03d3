// Tokens of JSON: two or more parts with points between them, of which the first begins like an object.
import { isMadeUp, isWordStart, RANK, type Shape } from './shape.ts';

const PART = /[\w-]*/y;
const TAIL = /[\w.-]*/y;
const SHORTEST_PART = 8;
const LONGEST_PART = 2000;
const POINT = 46;

export const jwt: Shape = {
  anchors: ['eyJ'],
  letters: 'exact',
  find(text, at, scan) {
    if (!isWordStart(scan, at)) return [];
    const first = scan.runEnd(PART, at);
    const length = first - at - 3;
    if (length < SHORTEST_PART || length > LONGEST_PART || text.charCodeAt(first) !== POINT) return [];
    if (scan.runEnd(PART, first + 1) - first - 1 < SHORTEST_PART) return [];
    const end = scan.runEnd(TAIL, at);
    if (isMadeUp(text, at + 3, end)) return [];
    return [{ start: at, end, kind: 'jwt', rank: RANK.token, tail: TAIL }];
  },
};
