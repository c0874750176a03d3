// The markup inside a paragraph as styled text.
import type { Token, Tokens } from 'marked';
import type { Colors } from 'picocolors/types.js';
import type { Span, Style } from './spans.ts';

export function inlineSpans(
  tokens: readonly Token[],
  colors: Colors,
  style: Style = text => text,
): readonly Span[] {
  return tokens.flatMap(token => spansOf(token, colors, style));
}

/** The words alone. */
export function inlineText(tokens: readonly Token[], colors: Colors): string {
  return inlineSpans(tokens, colors)
    .map(({ text }) => text)
    .join('');
}

function spansOf(token: Token, colors: Colors, style: Style): readonly Span[] {
  const inner = (added: Style): readonly Span[] =>
    inlineSpans(childrenOf(token), colors, text => style(added(text)));
  switch (token.type) {
    case 'strong':
      return inner(colors.bold);
    case 'em':
      return inner(colors.italic);
    case 'del':
      return inner(colors.strikethrough);
    case 'codespan':
      return [{ text: plain(token as Tokens.Codespan), style: text => style(colors.cyan(text)) }]; // its type says so
    case 'br':
      return [{ text: '\n', style }];
    case 'link':
      return linkSpans(token as Tokens.Link, colors, style); // its type says so
    case 'image':
      return [{ text: `[picture: ${plain(token as Tokens.Image)}]`, style }]; // its type says so
    default:
      return childrenOf(token).length > 0
        ? inner(text => text)
        : [{ text: 'text' in token && typeof token.text === 'string' ? token.text : token.raw, style }];
  }
}

/** With the address behind it: what a link says and where it leads may differ. */
function linkSpans({ tokens, href, text }: Tokens.Link, colors: Colors, style: Style): readonly Span[] {
  const words = inlineSpans(tokens, colors, part => style(colors.underline(part)));
  if (text === href || `mailto:${text}` === href) return words;
  return [...words, { text: ` (${href})`, style: part => style(colors.dim(part)) }];
}

function childrenOf(token: Token): readonly Token[] {
  return 'tokens' in token && token.tokens ? token.tokens : [];
}

function plain({ text, raw }: { readonly text?: string; readonly raw: string }): string {
  return text ?? raw;
}
