// Known values whose characters stand apart: broken into lines at any column, with the same gap between all of them, as
// `od -c` and UTF-16 have them, or written as entities of HTML.
import { RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

/** Shorter values come about by chance where lines meet, */
const FEWEST_BROKEN = 8;
/** and where letters stand apart. */
const FEWEST_SPACED = 6;
/** The end of a line, with the sign that it goes on, and what the next one may begin with: quotation, offset of a dump. */
const BREAK = /[=\\]?\r?\n[ \t>|]{0,40}(?:[0-9a-fA-F]{6,16}:?[ \t]{1,3})?/y;
const ENTITY = /&#(?:[xX]0{0,4}([0-9a-fA-F]{1,6})|0{0,4}([0-9]{1,7}));/y;
const AMPERSAND = 38;
/** How many of them may come before the first entity. */
const FIRST_LETTERS = 6;
const CANDIDATE_STEPS = 200;
const SPACED_STEPS = 400;

/** What programs put between two letters. */
const GAPS: readonly string[] = [
  ...['\0', '\0\0\0', ' ', '  ', '   ', '    ', '\t', '\n', '\r\n', ',', ', ', "', '", '", "', '","'],
  ...['-', '.', '_', ':', '|'],
];

/** A form that may be broken into lines, or that has entities among its letters. */
export function brokenShape(form: string): Shape | undefined {
  if (!canBreak(form)) return undefined;
  // Broken soon, or later: few letters alone would be found everywhere.
  const early = [1, 2, 3, 4, 5].flatMap(length => {
    const head = form.slice(0, length);
    return [`${head}\r\n`, `${head}\n${length === 1 ? form.charAt(1) : ''}`];
  });
  return {
    anchors: [form.slice(0, 6), ...early],
    letters: 'exact',
    isOfKnown: true,
    find: (text, at) => brokenAt(text, at, form),
  };
}

export function canBreak(form: string): boolean {
  return form.length >= FEWEST_BROKEN && !/[\r\n]/.test(form);
}

/** Values of which one of the first letters is an entity: one shape for all, since all entities begin alike. */
export function entityShape(values: readonly string[]): Shape {
  const places = new Map<number, { readonly value: string; readonly index: number }[]>();
  for (const value of values.filter(({ length }) => length >= FEWEST_SPACED)) {
    for (let index = 0; index < FIRST_LETTERS; index++) {
      const code = value.codePointAt(index) ?? 0;
      places.set(code, [...(places.get(code) ?? []), { value, index }]);
    }
  }
  return {
    anchors: [...'xX0123456789'].map(letter => `&#${letter}`),
    letters: 'exact',
    isOfKnown: true,
    find(text, at, scan) {
      const entity = matchAt(ENTITY, text, at);
      const candidates = (entity && places.get(codeOf(entity))) ?? [];
      scan.spend(CANDIDATE_STEPS * candidates.length);
      for (const { value, index } of candidates) {
        const start = at - index;
        if (start < 0 || !value.startsWith(text.slice(start, at))) continue;
        const found = brokenAt(text, start, value);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** A value with the same gap between all its letters. */
export function spacedShape(value: string): Shape | undefined {
  if (value.length < FEWEST_SPACED || /[\r\n]/.test(value)) return undefined;
  const seconds = GAPS.map(gap => gap + value.charAt(1));
  return {
    anchors: GAPS.map(gap => value.charAt(0) + gap + value.charAt(1)),
    letters: 'exact',
    isOfKnown: true,
    find(text, at, scan) {
      scan.spend(SPACED_STEPS);
      const gap = GAPS.find((_, index) => text.startsWith(seconds[index] ?? '', at + 1));
      const end = gap === undefined ? undefined : spacedEnd(text, at, value, gap);
      return end === undefined ? [] : [spanOf(at, end)];
    },
  };
}

function spacedEnd(text: string, at: number, value: string, gap: string): number | undefined {
  let next = at + 1;
  for (let step = 1; step < value.length; step++) {
    const wanted = value.charAt(step);
    const after = text.startsWith(gap + wanted, next) ? next + gap.length : afterBreak(text, next);
    if (after === undefined || text.charAt(after) !== wanted) return undefined;
    next = after + 1;
  }
  return next;
}

function brokenAt(text: string, at: number, form: string): readonly Span[] {
  let next = at;
  for (let step = 0; step < form.length; ) {
    const wanted = form.charCodeAt(step);
    const unit = text.charCodeAt(next);
    if (unit === wanted) {
      next++;
      step++;
      continue;
    }
    const entity = unit === AMPERSAND ? matchAt(ENTITY, text, next) : null;
    if (entity && codeOf(entity) === form.codePointAt(step)) {
      next += entity[0].length;
      step += wanted >= 0xd800 && wanted <= 0xdbff ? 2 : 1;
      continue;
    }
    const after = step > 0 ? afterBreak(text, next) : undefined;
    if (after === undefined) return [];
    next = after;
  }
  return [spanOf(at, next)];
}

/** Where the next line goes on; undefined when none ends at `at`. */
export function afterBreak(text: string, at: number): number | undefined {
  const found = matchAt(BREAK, text, at);
  return found ? at + found[0].length : undefined;
}

function codeOf([, hex, decimal]: RegExpExecArray): number {
  return hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
}

function spanOf(start: number, end: number): Span {
  return { start, end, kind: 'known', rank: RANK.known };
}
