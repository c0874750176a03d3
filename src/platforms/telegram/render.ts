// Markdown as Telegram's HTML: the few tags that it knows, everything else as plain text. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { joinBlocks, listText, tableText } from '../markdown-blocks.ts';

/** As it stands in what is rendered. */
const CODE = /(<pre>[\s\S]*?<\/pre>)/;
/** What Telegram takes as the address of a link; others stand behind their label. */
const LINKABLE = /^(?:https?|tg):/i;

/**
 * HTML for `parse_mode: HTML`, or undefined where the text is better sent as it is: nothing of it would be seen, it became
 * longer than `limit` characters, or it is nested too deeply to be read.
 */
export function renderHtml(markdown: string, limit: number): string | undefined {
  let html: string;
  try {
    html = blocks(new Lexer({ gfm: true }).lex(markdown)).trim();
  } catch (error) {
    // Thousands of quotes or lists inside each other are more than the stack; such a text is no markdown.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const length = visibleLength(html);
  return length === 0 || length > limit ? undefined : html;
}

function visibleLength(html: string): number {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|amp|quot);/g, '.')
    .trim().length;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function blocks(tokens: readonly Token[], inQuote: 'in-quote' | 'outside' = 'outside'): string {
  return joinBlocks(tokens, token => block(token, inQuote));
}

function block(token: MarkedToken, inQuote: 'in-quote' | 'outside'): string {
  switch (token.type) {
    case 'heading':
      return `<b>${inline(token.tokens)}</b>`;
    case 'code':
      return codeBlock(token);
    case 'blockquote': {
      const inside = blocks(token.tokens, 'in-quote');
      // Telegram has no quotes in quotes.
      return inQuote === 'in-quote' ? inside : `<blockquote>${inside}</blockquote>`;
    }
    case 'list':
      return list(token, inQuote);
    case 'table':
      // There are none, so it is code.
      return `<pre>${escapeHtml(tableText(token))}</pre>`;
    case 'hr':
      return '———';
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : escapeHtml(token.text);
    case 'html':
      return escapeHtml(token.text.trimEnd());
    case 'def':
      return escapeHtml(token.raw.trimEnd());
    default:
      return inline([token]);
  }
}

function codeBlock({ raw, text, lang = '' }: Tokens.Code): string {
  // All that somebody wrote may stand behind the fence.
  if (text.trim() === '') return escapeHtml(raw.trim());
  const language = /^[\w+#.-]+/.exec(lang)?.[0];
  const code = escapeHtml(text);
  return language === undefined
    ? `<pre>${code}</pre>`
    : `<pre><code class="language-${language}">${code}</code></pre>`;
}

function list(token: Tokens.List, inQuote: 'in-quote' | 'outside'): string {
  return listText(token, { bullet: '• ', code: CODE }, tokens => blocks(tokens, inQuote));
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(token => span(token as MarkedToken)).join(''); // no extension of ours makes others
}

function span(token: MarkedToken): string {
  switch (token.type) {
    case 'strong':
      return `<b>${inline(token.tokens)}</b>`;
    case 'em':
      return `<i>${inline(token.tokens)}</i>`;
    case 'del':
      return `<s>${inline(token.tokens)}</s>`;
    case 'codespan':
      return `<code>${escapeHtml(token.text)}</code>`;
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑' : '☐';
    case 'link':
      return link(token.href, inline(token.tokens));
    case 'image':
      return link(token.href, escapeHtml(token.text || token.href));
    case 'text':
    case 'escape':
      return escapeHtml(token.text);
    default:
      return escapeHtml(token.raw);
  }
}

function link(href: string, label: string): string {
  const target = escapeHtml(href);
  if (LINKABLE.test(href)) return `<a href="${target}">${label}</a>`;
  return ['', label, `mailto:${label}`].includes(target) ? label : `${label} (${target})`;
}
