// Markdown as Discord's own: most of it is the same, so what Discord does not know is written in other ways, and what only
// Discord knows, such as spoilers and mentions, is taken for what it says. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { joinBlocks, listText, tableText } from '../markdown-blocks.ts';
import { escapeText } from './escape.ts';

/** As it stands in what is rendered. */
const CODE = /(```[\s\S]*?```)/;
/** What Discord takes as the address of a link behind a label; others stand behind it in brackets. */
const LINKABLE = /^https?:\/\//i;
const DEEPEST_HEADING = 3;

/**
 * Undefined where the text is better sent as it is: nothing of it would be seen, it became longer than `limit` characters, or
 * it is nested too deeply to be read.
 */
export function renderMarkdown(markdown: string, limit: number): string | undefined {
  let text: string;
  try {
    text = blocks(new Lexer({ gfm: true }).lex(markdown)).trim();
  } catch (error) {
    // Thousands of quotes or lists inside each other are more than the stack; such a text is no markdown.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return text.length === 0 || text.length > limit ? undefined : text;
}

type Where = 'in-quote' | 'outside';

function blocks(tokens: readonly Token[], where: Where = 'outside'): string {
  return joinBlocks(tokens, token => block(token, where));
}

function block(token: MarkedToken, where: Where): string {
  switch (token.type) {
    case 'heading':
      return heading(token);
    case 'code':
      return codeBlock(token);
    case 'blockquote': {
      const inside = blocks(token.tokens, 'in-quote');
      // Discord has no quotes in quotes.
      return where === 'in-quote' ? inside : inside.replace(/^/gm, '> ');
    }
    case 'list':
      return list(token, where);
    case 'table':
      // There are none, so it is code.
      return fenced(tableText(token));
    case 'hr':
      return '———';
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : escapeText(token.text);
    case 'html':
      return escapeText(token.text.trimEnd());
    case 'def':
      return escapeText(token.raw.trimEnd());
    default:
      return inline([token]);
  }
}

function heading({ depth, tokens }: Tokens.Heading): string {
  const text = inline(tokens).replace(/\n/g, ' ');
  if (text.trim() === '') return '';
  return depth <= DEEPEST_HEADING ? `${'#'.repeat(depth)} ${text}` : `**${text}**`;
}

function codeBlock({ raw, text, lang = '' }: Tokens.Code): string {
  // All that somebody wrote may stand behind the fence.
  if (text.trim() === '') return escapeText(raw.trim());
  const language = /^[\w+#.-]+/.exec(lang)?.[0] ?? '';
  return fenced(text, language);
}

/** Discord knows three backticks only, so they cannot stand inside; something that nobody sees parts them. */
function fenced(code: string, language = ''): string {
  return `\`\`\`${language}\n${code.replaceAll('```', '`\u200B``')}\n\`\`\``;
}

function list(token: Tokens.List, where: Where): string {
  return listText(token, { bullet: '- ', code: CODE }, tokens => blocks(tokens, where));
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(token => span(token as MarkedToken)).join(''); // no extension of ours makes others
}

function span(token: MarkedToken): string {
  switch (token.type) {
    case 'strong':
      return `**${inline(token.tokens)}**`;
    case 'em':
      return `*${inline(token.tokens)}*`;
    case 'del':
      return `~~${inline(token.tokens)}~~`;
    case 'codespan':
      return token.raw;
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑' : '☐';
    case 'link':
      return link(token.href, token.text, inline(token.tokens));
    case 'image':
      return link(token.href, token.text, escapeText(token.text || token.href));
    case 'text':
      return escapeText(token.text);
    case 'escape':
      return escapeText(token.text, 'every');
    default:
      return escapeText(token.raw);
  }
}

function link(href: string, text: string, label: string): string {
  // Discord makes a link of an address by itself, and would show a backslash in it.
  if (text === '' || [text, `http://${text}`, `mailto:${text}`].includes(href)) return text || href;
  if (LINKABLE.test(href) && !/[\s()<>]/.test(href)) return `[${label}](${href})`;
  return `${label} (${escapeText(href)})`;
}
