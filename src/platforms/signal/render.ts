// Markdown as Signal shows it: plain text, and ranges of it in a style, counted in UTF-16 units. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

type Style = 'BOLD' | 'ITALIC' | 'STRIKETHROUGH' | 'MONOSPACE';

export interface Rendered {
  readonly text: string;
  /** As the daemon takes them: `start:length:STYLE`. */
  readonly styles: readonly string[];
}

interface Piece {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** More would be refused, or slow; such a text is readable without. */
const MOST_STYLES = 500;

/**
 * Undefined where the text is better sent as it is: nothing of it would be seen, it became longer than `limit`, or it is
 * nested too deeply to be read.
 */
export function render(markdown: string, limit: number): Rendered | undefined {
  let pieces: readonly Piece[];
  try {
    pieces = blocks(new Lexer({ gfm: true }).lex(markdown));
  } catch (error) {
    // Thousands of quotes or lists inside each other are more than the stack; such a text is no markdown.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const whole = pieces.map(({ text }) => text).join('');
  const text = whole.trim();
  if (text === '' || text.length > limit) return undefined;
  const styles = rangesOf(pieces, whole.length - whole.trimStart().length, text.length);
  return { text, styles: styles.length > MOST_STYLES ? [] : styles };
}

/** `skipped`: what was trimmed before the first character. */
function rangesOf(pieces: readonly Piece[], skipped: number, length: number): readonly string[] {
  const open = new Map<Style, { start: number; end: number }>();
  const ranges: string[] = [];
  const close = (style: Style, { start, end }: { start: number; end: number }): void => {
    if (end > start) ranges.push(`${start}:${end - start}:${style}`);
    open.delete(style);
  };
  let at = -skipped;
  for (const { text, styles } of pieces) {
    const [start, end] = [Math.max(0, at), Math.min(length, at + text.length)];
    at += text.length;
    for (const [style, range] of [...open]) if (!styles.includes(style)) close(style, range);
    for (const style of new Set(styles)) open.set(style, { start: open.get(style)?.start ?? start, end });
  }
  for (const [style, range] of [...open]) close(style, range);
  return ranges;
}

const plain = (text: string): Piece => ({ text, styles: [] });

function styled(pieces: readonly Piece[], style: Style): readonly Piece[] {
  return pieces.map(piece => ({ ...piece, styles: [...piece.styles, style] }));
}

/** Blocks with an empty line between them where the text has one. */
function blocks(tokens: readonly Token[]): readonly Piece[] {
  const all: Piece[] = [];
  let gap = '';
  for (const token of tokens) {
    const known = token as MarkedToken; // no extension of ours makes others
    if (known.type === 'space') {
      gap = '\n\n';
      continue;
    }
    const pieces = block(known);
    if (pieces.every(({ text }) => text === '')) continue;
    if (all.length > 0) all.push(plain(gap || '\n'));
    all.push(...pieces);
    gap = /\n[ \t]*\n\s*$/.test(known.raw) ? '\n\n' : '';
    // A box stands before its text, on the same line.
    if (known.type === 'checkbox') gap = ' ';
  }
  return all;
}

function block(token: MarkedToken): readonly Piece[] {
  switch (token.type) {
    case 'heading':
      return styled(inline(token.tokens), 'BOLD');
    case 'code':
      return codeBlock(token);
    case 'blockquote':
      return [plain('> '), ...indented(blocks(token.tokens), '> ')];
    case 'list':
      return list(token);
    case 'table':
      return table(token);
    case 'hr':
      return [plain('———')];
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : [plain(token.text)];
    case 'html':
      return [plain(token.text.trimEnd())];
    case 'def':
      return [plain(token.raw.trimEnd())];
    default:
      return inline([token]);
  }
}

function codeBlock({ raw, text }: Tokens.Code): readonly Piece[] {
  // All that somebody wrote may stand behind the fence.
  return text.trim() === '' ? [plain(raw.trim())] : styled([plain(text)], 'MONOSPACE');
}

function list({ items, ordered, start }: Tokens.List): readonly Piece[] {
  const first = typeof start === 'number' ? start : 1;
  return items.flatMap(({ tokens }, at) => {
    const bullet = ordered ? `${first + at}. ` : '• ';
    const inside = indented(blocks(tokens), ' '.repeat(bullet.length));
    return [plain(`${at === 0 ? '' : '\n'}${bullet}`), ...inside];
  });
}

/** Lines after the first; code keeps its own indentation. */
function indented(pieces: readonly Piece[], by: string): readonly Piece[] {
  return pieces.map(piece => ({
    ...piece,
    text: piece.styles.includes('MONOSPACE') ? piece.text : piece.text.replaceAll('\n', `\n${by}`),
  }));
}

/** In columns of equal width, without formatting: Signal has no tables. */
function table({ header, rows }: Tokens.Table): readonly Piece[] {
  const cells = [header, ...rows].map(row =>
    row.map(cell =>
      inline(cell.tokens)
        .map(({ text }) => text)
        .join(''),
    ),
  );
  const widths = header.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' | ')
      .trimEnd();
  const [head = [], ...body] = cells;
  const rule = widths.map(width => '-'.repeat(width)).join('-+-');
  return styled([plain([line(head), rule, ...body.map(line)].join('\n'))], 'MONOSPACE');
}

function inline(tokens: readonly Token[]): readonly Piece[] {
  return tokens.flatMap(token => span(token as MarkedToken)); // no extension of ours makes others
}

function span(token: MarkedToken): readonly Piece[] {
  switch (token.type) {
    case 'strong':
      return styled(inline(token.tokens), 'BOLD');
    case 'em':
      return styled(inline(token.tokens), 'ITALIC');
    case 'del':
      return styled(inline(token.tokens), 'STRIKETHROUGH');
    case 'codespan':
      return styled([plain(token.text)], 'MONOSPACE');
    case 'br':
      return [plain('\n')];
    case 'checkbox':
      return [plain(token.checked ? '☑' : '☐')];
    case 'link':
      return link(token.href, inline(token.tokens));
    case 'image':
      return link(token.href, [plain(token.text || token.href)]);
    case 'text':
    case 'escape':
      return [plain(token.text)];
    default:
      return [plain(token.raw)];
  }
}

/** The address stands behind its label: Signal links nothing but addresses themselves. */
function link(href: string, label: readonly Piece[]): readonly Piece[] {
  const text = label.map(piece => piece.text).join('');
  return ['', text, `mailto:${text}`].includes(href) ? label : [...label, plain(` (${href})`)];
}
