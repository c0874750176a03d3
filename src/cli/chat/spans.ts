// Styled text cut into lines of a terminal: breaks at spaces, counts cells instead of characters.

export type Style = (text: string) => string;

export interface Span {
  readonly text: string;
  readonly style: Style;
}

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])/u;
const NARROW = /^[\x20-\x7e\u00a1-\u02ff]*$/;

/** How many cells of a terminal a text takes. */
export function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  return charactersOf(text).reduce((sum, one) => sum + cellsOfOne(one), 0);
}

function cellsOfOne(character: string): number {
  if (/^(?:\p{M}|\p{Cf}|\p{Cc})/u.test(character)) return 0;
  return WIDE.test(character) || character.includes('\ufe0f') ? 2 : 1;
}

function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

/** Lines of at most `width` cells, styled. A line break in the text is one; a word that is too long is cut. */
export function wrapSpans(spans: readonly Span[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let gap: Span | undefined;
  const end = (): void => {
    lines.push(line);
    [line, used, gap] = ['', 0, undefined];
  };
  for (const word of wordsOf(spans)) {
    if (word === 'break') end();
    else if (word.isSpace) gap = used > 0 ? word.spans[0] : undefined;
    else {
      for (const piece of fitting(word.spans, width)) {
        const cells = sum(piece.map(({ text }) => cellsOf(text)));
        const before = gap ? 1 : 0;
        if (used > 0 && used + before + cells > width) end();
        if (gap && used > 0) [line, used] = [line + gap.style(' '), used + 1];
        line += piece.map(({ text, style }) => style(text)).join('');
        used += cells;
        gap = undefined;
      }
    }
  }
  if (line !== '') end();
  return lines;
}

interface Word {
  readonly isSpace: boolean;
  readonly spans: Span[];
}

/** What stands between spaces belongs together, whatever styles it has. */
function wordsOf(spans: readonly Span[]): (Word | 'break')[] {
  const words: (Word | 'break')[] = [];
  for (const { text, style } of spans) {
    for (const [part] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      const last = words.at(-1);
      const isSpace = /^\s/.test(part);
      if (part === '\n') words.push('break');
      else if (!isSpace && last && last !== 'break' && !last.isSpace) last.spans.push({ text: part, style });
      else words.push({ isSpace, spans: [{ text: part, style }] });
    }
  }
  return words;
}

/** The word as it is, or in pieces where it is wider than a line. */
function fitting(spans: readonly Span[], width: number): Span[][] {
  if (sum(spans.map(({ text }) => cellsOf(text))) <= width) return [[...spans]];
  const pieces: Span[][] = [];
  for (const { text, style } of spans) {
    let [piece, used] = ['', 0];
    for (const one of charactersOf(text)) {
      const cells = cellsOf(one);
      if (used + cells > width && piece !== '') {
        pieces.push([{ text: piece, style }]);
        [piece, used] = ['', 0];
      }
      piece += one;
      used += cells;
    }
    if (piece !== '') pieces.push([{ text: piece, style }]);
  }
  return pieces;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The beginning of a text, as much as fits on a line. */
export function fitLine(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  let [line, used] = ['', 0];
  for (const one of charactersOf(text)) {
    const cells = cellsOf(one);
    if (used + cells > width - 1) break;
    line += one;
    used += cells;
  }
  return `${line}…`;
}
