// Markdown as Telegram's HTML: the few tags that it knows, everything else as plain text. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

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

/** Blocks with an empty line between them where the text has one. */
function blocks(tokens: readonly Token[], inQuote: 'in-quote' | 'outside' = 'outside'): string {
  let html = '';
  let gap = '';
  for (const token of tokens) {
    const known = token as MarkedToken; // no extension of ours makes others
    if (known.type === 'space') {
      gap = '\n\n';
      continue;
    }
    const text = block(known, inQuote);
    if (text === '') continue;
    html += html === '' ? text : (gap || '\n') + text;
    gap = /\n[ \t]*\n\s*$/.test(known.raw) ? '\n\n' : '';
    // A box stands before its text, on the same line.
    if (known.type === 'checkbox') gap = ' ';
  }
  return html;
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
      return table(token);
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

function list({ items, ordered, start }: Tokens.List, inQuote: 'in-quote' | 'outside'): string {
  const first = typeof start === 'number' ? start : 1;
  return items
    .map(({ tokens }, at) => {
      const bullet = ordered ? `${first + at}. ` : '• ';
      return bullet + indented(blocks(tokens, inQuote), ' '.repeat(bullet.length));
    })
    .join('\n');
}

/** Lines after the first; code keeps its own indentation. */
function indented(html: string, by: string): string {
  return html
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map(part => (part.startsWith('<pre>') ? part : part.replace(/\n(?!\n|$)/g, `\n${by}`)))
    .join('');
}

/** In columns of equal width, without formatting: Telegram has no tables. */
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
  return `<pre>${escapeHtml([line(head), rule, ...body.map(line)].join('\n'))}</pre>`;
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
