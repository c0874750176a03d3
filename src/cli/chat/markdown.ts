// Blocks of markdown as lines of a terminal. Pure; the text has lost its control characters before.
import { lexer, type Token, type Tokens } from 'marked';
import type { Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { inlineSpans, inlineText } from './inline.ts';
import { type Style, wrapSpans } from './spans.ts';

export interface Block {
  /** As it was written. */
  readonly raw: string;
  readonly lines: readonly string[];
}

/** The blocks of a text in order; one without lines is what stands between others. */
export function markdownBlocks(text: string, look: Look): readonly Block[] {
  return lexer(text).map(token => ({ raw: token.raw, lines: blockLines(token, look) }));
}

function blockLines(token: Token, look: Look): string[] {
  const { colors, columns } = look;
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading': {
      const { tokens, depth } = token as Tokens.Heading; // its type says so
      const style: Style = text => colors.bold(depth === 1 ? colors.underline(text) : text);
      return wrapSpans(inlineSpans(tokens, colors, style), columns);
    }
    case 'code':
      return codeLines(token as Tokens.Code, look); // its type says so
    case 'list':
      return listLines(token as Tokens.List, look); // its type says so
    case 'blockquote':
      return framed((token as Tokens.Blockquote).tokens, look, colors.dim('▏ ')); // its type says so
    case 'hr':
      return [colors.dim('─'.repeat(Math.min(columns, 40)))];
    case 'table':
      return tableLines(token as Tokens.Table, look); // its type says so
    default: {
      const inner = 'tokens' in token && token.tokens ? token.tokens : undefined;
      const spans = inner ? inlineSpans(inner, colors) : [{ text: token.raw.trimEnd(), style: asItIs }];
      return wrapSpans(spans, columns);
    }
  }
}

function asItIs(text: string): string {
  return text;
}

/** Code keeps its lines; the terminal is given the parts of one that is too long. */
function codeLines({ text }: Tokens.Code, { colors, columns }: Look): string[] {
  const bar = colors.dim('│ ');
  const tabs = text.replaceAll('\t', '    ');
  return tabs.split('\n').flatMap(line => {
    const pieces = line.match(new RegExp(`.{1,${Math.max(1, columns - 2)}}`, 'gsu')) ?? [''];
    return pieces.map(piece => bar + colors.cyan(piece));
  });
}

function listLines({ items, ordered, start }: Tokens.List, look: Look): string[] {
  return items.flatMap((item, at) => {
    const mark = ordered ? `${Number(start) + at}. ` : '• ';
    const box = item.task ? (item.checked ? '☑ ' : '☐ ') : '';
    const narrower = { ...look, columns: Math.max(8, look.columns - mark.length) };
    const lines = item.tokens.flatMap(token => blockLines(token, narrower));
    const [first = '', ...rest] = lines;
    return [mark + box + first, ...rest.map(line => ' '.repeat(mark.length) + line)];
  });
}

function framed(tokens: readonly Token[], look: Look, bar: string): string[] {
  const narrower = { ...look, columns: Math.max(8, look.columns - 2) };
  return tokens.flatMap(token => blockLines(token, narrower)).map(line => bar + line);
}

function tableLines({ header, rows }: Tokens.Table, look: Look): string[] {
  const words = (cells: readonly Tokens.TableCell[]): string[] =>
    cells.map(({ tokens }) => inlineText(tokens, look.colors));
  return renderTable(words(header), rows.map(words), look).split('\n');
}
