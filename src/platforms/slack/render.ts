// Markdown as Slack's mrkdwn: the few marks that it knows, everything else as plain text. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { joinBlocks, listText, tableText } from '../markdown-blocks.ts';

/** As it stands in what is rendered. */
const CODE = /(```[\s\S]*?```)/;
/** What becomes a link; other addresses stand behind their label. */
const LINKABLE = /^(?:https?|mailto):/i;
/** Nobody sees it; it lets a mark begin or end inside of a word, and keeps three backticks apart. */
const NOTHING = '\u200B';
const LIKE_BACKTICK = 'ˋ';
const WORD = /[\p{L}\p{N}_]/u;

/** Undefined where the text is better sent as it is: nothing of it would be seen, or it is nested too deeply to be read. */
export function renderMrkdwn(markdown: string): string | undefined {
  try {
    const text = blocks(new Lexer({ gfm: true }).lex(markdown)).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    // Thousands of quotes or lists inside each other are more than the stack; such a text is no markdown.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Slack's own marks for mentions, channels and addresses begin with `<`, so nothing of ours can be one. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function blocks(tokens: readonly Token[]): string {
  return joinBlocks(tokens, block);
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case 'heading':
      return marked('*', inline(token.tokens, ['strong']));
    case 'code':
      return codeBlock(token);
    case 'blockquote':
      return blocks(token.tokens)
        .split('\n')
        .map(line => `> ${line.replace(/^> /, '')}`)
        .join('\n');
    case 'list':
      return listText(token, { bullet: '• ', code: CODE }, blocks);
    case 'table':
      // There are none, so it is code.
      return fence(tableText(token));
    case 'hr':
      return '———';
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : literal(token.text);
    case 'html':
      return literal(token.text.trimEnd());
    case 'def':
      return literal(token.raw.trimEnd());
    default:
      return inline([token]);
  }
}

function codeBlock({ raw, text }: Tokens.Code): string {
  // All that somebody wrote may stand behind the fence.
  return text.trim() === '' ? literal(raw.trim()) : fence(text);
}

/** Slack knows no language of code, and no longer fence. */
function fence(code: string): string {
  return `\`\`\`\n${escapeMrkdwn(code).replaceAll('```', `\`${NOTHING}\`${NOTHING}\``)}\n\`\`\``;
}

/** `without`: a mark inside of the same mark would end it. */
function inline(tokens: readonly Token[], without: readonly string[] = []): string {
  let text = '';
  let wasMarked = false;
  for (const token of joined(tokens)) {
    const made = span(token, without);
    const isMarked = /^[*_~`]/.test(made) && ['strong', 'em', 'del', 'codespan'].includes(token.type);
    const touches = WORD.test(text.at(-1) ?? '') && isMarked;
    const isTouched = wasMarked && WORD.test(made.charAt(0));
    text += (touches || isTouched ? NOTHING : '') + made;
    wasMarked = isMarked;
  }
  return text;
}

/** Plain text and what is escaped in it as one: only together they show what Slack would make of them. */
function joined(tokens: readonly Token[]): readonly MarkedToken[] {
  const made: MarkedToken[] = [];
  for (const token of tokens) {
    const known = token as MarkedToken; // no extension of ours makes others
    const last = made.at(-1);
    if (last?.type === 'text' && (known.type === 'text' || known.type === 'escape') && !('tokens' in last)) {
      made[made.length - 1] = { ...last, raw: last.raw + known.raw, text: last.text + known.text };
    } else if (known.type === 'escape') {
      made.push({ type: 'text', raw: known.raw, text: known.text, escaped: false });
    } else {
      made.push(known);
    }
  }
  return made;
}

function span(token: MarkedToken, without: readonly string[]): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del': {
      if (without.includes(token.type)) return inline(token.tokens, without);
      const mark = { strong: '*', em: '_', del: '~' }[token.type];
      return marked(mark, inline(token.tokens, [...without, token.type]));
    }
    case 'codespan':
      return codeSpan(token.text);
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑' : '☐';
    case 'link':
      return link(token.href, inline(token.tokens, ['strong', 'em', 'del']));
    case 'image':
      return link(token.href, literal(token.text || token.href));
    case 'text':
      return literal(token.text);
    default:
      return literal(token.raw);
  }
}

/** Line by line: Slack ends every mark with its line, and takes none that touches a space inside. */
function marked(mark: string, text: string): string {
  return text
    .split('\n')
    .map(line => {
      const [, before = '', inside = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(line) ?? [];
      return inside === '' || inside.includes(mark) ? line : `${before}${mark}${inside}${mark}${after}`;
    })
    .join('\n');
}

function codeSpan(code: string): string {
  const line = code.replaceAll('\n', ' ');
  return line.trim() === '' || line.includes('`') ? escapeMrkdwn(line) : `\`${escapeMrkdwn(line)}\``;
}

function link(href: string, label: string): string {
  if (LINKABLE.test(href)) {
    const target = escapeMrkdwn(href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'));
    const words = label.replaceAll('\n', ' ').replaceAll('`', '').trim();
    return words === '' || words === target ? `<${target}>` : `<${target}|${words}>`;
  }
  const target = escapeMrkdwn(href);
  return ['', label].includes(target) ? label : `${label} (${target})`;
}

/**
 * Text that Slack would take for formatting has to be code to stay as it is: there is no other way to write such a mark. A
 * backtick cannot be written so either; with another one it would make code of a link that stands between, so a look-alike
 * is shown.
 */
function literal(text: string): string {
  return escapeMrkdwn(text)
    .replaceAll('`', LIKE_BACKTICK)
    .split('\n')
    .map(line => {
      const marks = MARKS.filter(mark => wouldFormat(line, mark));
      if (marks.length === 0) return line;
      const isMark = (word: string): boolean =>
        marks.some(({ begins, ends }) => begins.test(word) || ends.test(word));
      return line.replace(/\S+/g, word => (isMark(word) ? `\`${word}\`` : word));
    })
    .join('\n');
}

interface Mark {
  readonly begins: RegExp;
  readonly ends: RegExp;
}

/** Not after a letter and before no space, and the other way round. */
const MARKS: readonly Mark[] = ['*', '_', '~'].map(mark => ({
  begins: new RegExp(`(?<![\\p{L}\\p{N}])[${mark}](?=\\S)`, 'u'),
  ends: new RegExp(`(?<=\\S)[${mark}](?![\\p{L}\\p{N}])`, 'u'),
}));

function wouldFormat(line: string, { begins, ends }: Mark): boolean {
  const first = begins.exec(line)?.index;
  return first !== undefined && ends.test(line.slice(first + 1));
}
