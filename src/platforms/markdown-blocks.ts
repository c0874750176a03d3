// What the renderings of markdown have in common, whatever the marks of a platform are. Pure.
import type { MarkedToken, Token, Tokens } from 'marked';

/** Blocks with an empty line between them where the text has one. */
export function joinBlocks(tokens: readonly Token[], block: (token: MarkedToken) => string): string {
  let text = '';
  let gap = '';
  for (const token of tokens) {
    const known = token as MarkedToken; // no extension of ours makes others
    if (known.type === 'space') {
      gap = '\n\n';
      continue;
    }
    const next = block(known);
    if (next === '') continue;
    text += text === '' ? next : (gap || '\n') + next;
    gap = /\n[ \t]*\n\s*$/.test(known.raw) ? '\n\n' : '';
    // A box stands before its text, on the same line.
    if (known.type === 'checkbox') gap = ' ';
  }
  return text;
}

export interface ListMarks {
  readonly bullet: string;
  /** Finds code, with a group around all of it: it keeps its own indentation. */
  readonly code: RegExp;
}

/** Lines after the first of an item stand under it. */
export function listText(
  { items, ordered, start }: Tokens.List,
  { bullet, code }: ListMarks,
  inside: (tokens: readonly Token[]) => string,
): string {
  const first = typeof start === 'number' ? start : 1;
  return items
    .map(({ tokens }, at) => {
      const begin = ordered ? `${first + at}. ` : bullet;
      return begin + indented(inside(tokens), ' '.repeat(begin.length), code);
    })
    .join('\n');
}

function indented(text: string, by: string, code: RegExp): string {
  return text
    .split(code)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\n(?!\n|$)/g, `\n${by}`)))
    .join('');
}

/** In columns of equal width, without formatting, to be shown as code. */
export function tableText({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map(row => row.map(cell => plain(cell.tokens)));
  const widths = header.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' | ')
      .trimEnd();
  const [head = [], ...body] = cells;
  const rule = widths.map(width => '-'.repeat(width)).join('-+-');
  return [line(head), rule, ...body.map(line)].join('\n');
}

/** What is left of formatted text. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      const known = token as MarkedToken; // as above
      if ('tokens' in known && known.tokens) return plain(known.tokens);
      return 'text' in known ? known.text : known.raw;
    })
    .join('');
}
