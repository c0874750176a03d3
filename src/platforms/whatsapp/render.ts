// Markdown as WhatsApp's own formatting: *bold*, _slanted_, ~struck~, `code` and ```blocks of it```, quotes and lists. It has no
// way to escape anything, so what happens to look like its marks may be shown as formatting; every word is shown. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

type Weight = 'bold' | 'normal';

/**
 * The text to send, or undefined where it is better sent as it is: nothing of it would be seen, it became longer than `limit`
 * characters, or it is nested too deeply to be read.
 */
export function renderText(markdown: string, limit: number): string | undefined {
  let text: string;
  try {
    text = blocks(new Lexer({ gfm: true }).lex(markdown)).trim();
  } catch (error) {
    // Thousands of quotes or lists inside each other are more than the stack; such a text is no markdown.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return text === '' || text.length > limit ? undefined : text;
}

/** Blocks with an empty line between them where the text has one. */
function blocks(tokens: readonly Token[]): string {
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

function block(token: MarkedToken): string {
  switch (token.type) {
    case 'heading':
      return wrapped('*', inline(token.tokens, 'bold'));
    case 'code':
      // All that somebody wrote may stand behind the fence.
      return token.text.trim() === '' ? token.raw.trim() : fenced(token.text);
    case 'blockquote':
      return quoted(blocks(token.tokens));
    case 'list':
      return list(token);
    case 'table':
      return table(token);
    case 'hr':
      return '———';
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    case 'html':
      return token.text.trimEnd();
    case 'def':
      return token.raw.trimEnd();
    default:
      return inline([token]);
  }
}

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

function quoted(text: string): string {
  return text.replace(/^(?!> )/gm, '> ');
}

function list({ items, ordered, start }: Tokens.List): string {
  const first = typeof start === 'number' ? start : 1;
  return items
    .map(({ tokens }, at) => {
      const bullet = ordered ? `${first + at}. ` : '- ';
      return bullet + indented(blocks(tokens), ' '.repeat(bullet.length));
    })
    .join('\n');
}

/** Lines after the first; code keeps its own indentation. */
function indented(text: string, by: string): string {
  return text
    .split(/(```\n[\s\S]*?\n```)/)
    .map(part => (part.startsWith('```') ? part : part.replace(/\n(?!\n|$)/g, `\n${by}`)))
    .join('');
}

/** In columns of equal width, without formatting: WhatsApp has no tables. */
function table({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map(row => row.map(cell => plain(cell.tokens)));
  const widths = header.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' | ')
      .trimEnd();
  const [head = [], ...body] = cells;
  const rule = widths.map(width => '-'.repeat(width)).join('-+-');
  return fenced([line(head), rule, ...body.map(line)].join('\n'));
}

function inline(tokens: readonly Token[], weight: Weight = 'normal'): string {
  return tokens.map(token => span(token as MarkedToken, weight)).join(''); // no extension of ours makes others
}

function span(token: MarkedToken, weight: Weight): string {
  switch (token.type) {
    case 'strong': {
      const inside = inline(token.tokens, 'bold');
      return weight === 'bold' ? inside : wrapped('*', inside);
    }
    case 'em':
      return wrapped('_', inline(token.tokens, weight));
    case 'del':
      return wrapped('~', inline(token.tokens, weight));
    case 'codespan':
      return wrapped('`', token.text);
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑' : '☐';
    case 'link':
      return link(token.href, inline(token.tokens, weight));
    case 'image':
      return link(token.href, token.text || token.href);
    case 'text':
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

/** WhatsApp takes no mark that stands beside a space, and none over several lines. */
function wrapped(mark: string, text: string): string {
  return text
    .split('\n')
    .map(line => line.replace(/\S(?:.*\S)?/s, inside => mark + inside + mark))
    .join('\n');
}

/** It makes addresses into links by itself, and hides none behind words. */
function link(href: string, label: string): string {
  return ['', label, `mailto:${label}`].includes(href) ? label : `${label} (${href})`;
}

/** What is left of formatted text in a cell. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      const known = token as MarkedToken; // as above
      if ('tokens' in known && known.tokens) return plain(known.tokens);
      return 'text' in known ? known.text : known.raw;
    })
    .join('');
}
