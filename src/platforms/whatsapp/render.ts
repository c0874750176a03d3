// Markdown as WhatsApp's own formatting: *bold*, _slanted_, ~struck~, `code` and ```blocks of it```, quotes and lists. It has no
// way to escape anything, so what happens to look like its marks may be shown as formatting; every word is shown. Pure.
import { Lexer, type MarkedToken, type Token } from 'marked';
import { joinBlocks, listText, tableText } from '../markdown-blocks.ts';

/** As it stands in what is rendered. */
const CODE = /(```\n[\s\S]*?\n```)/;
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

function blocks(tokens: readonly Token[]): string {
  return joinBlocks(tokens, block);
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
      return listText(token, { bullet: '- ', code: CODE }, blocks);
    case 'table':
      // There are none, so it is code.
      return fenced(tableText(token));
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
