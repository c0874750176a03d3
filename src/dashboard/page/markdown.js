// Markdown as elements: marked reads it into tokens, and each becomes text in an element. Nothing is ever parsed as HTML, no
// picture is loaded, and links lead to web and mail only.
import { marked } from 'marked';
import { h } from 'preact';
import { useState } from 'preact/hooks';

const SAFE_LINK = /^(?:https?:|mailto:)/i;

/** @param {{ text: string }} props */
export function Markdown({ text }) {
  return h('div', { class: 'markdown' }, marked.lexer(text, { gfm: true, breaks: true }).map(block));
}

/** @param {any} token @param {number} key @returns {any} */
function block(token, key) {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return h(`h${Math.min(6, token.depth + 2)}`, { key }, inlines(token.tokens));
    case 'paragraph':
      return h('p', { key }, inlines(token.tokens));
    case 'text':
      return token.tokens ? h('span', { key }, inlines(token.tokens)) : plain(token);
    case 'code':
      return h(CodeBlock, { key, text: token.text, language: token.lang ?? '' });
    case 'blockquote':
      return h('blockquote', { key }, token.tokens.map(block));
    case 'hr':
      return h('hr', { key });
    case 'list':
      return h(
        token.ordered ? 'ol' : 'ul',
        { key, ...(token.ordered && token.start !== 1 ? { start: token.start } : {}) },
        token.items.map((item, at) =>
          h('li', { key: at }, item.task ? (item.checked ? '☑ ' : '☐ ') : '', item.tokens.map(block)),
        ),
      );
    case 'table':
      return h(
        'div',
        { key, class: 'table', role: 'region', 'aria-label': 'Table', tabIndex: 0 },
        h(
          'table',
          null,
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              token.header.map((cell, at) => h('th', { key: at, scope: 'col' }, inlines(cell.tokens))),
            ),
          ),
          h(
            'tbody',
            null,
            token.rows.map((row, at) =>
              h(
                'tr',
                { key: at },
                row.map((cell, nth) => h('td', { key: nth }, inlines(cell.tokens))),
              ),
            ),
          ),
        ),
      );
    default:
      return h('p', { key }, plain(token));
  }
}

/** @param {readonly any[]} [tokens] */
function inlines(tokens = []) {
  return tokens.map(inline);
}

/** @param {any} token @param {number} key @returns {any} */
function inline(token, key) {
  switch (token.type) {
    case 'strong':
      return h('strong', { key }, inlines(token.tokens));
    case 'em':
      return h('em', { key }, inlines(token.tokens));
    case 'del':
      return h('del', { key }, inlines(token.tokens));
    case 'codespan':
      return h('code', { key }, token.text);
    case 'br':
      return h('br', { key });
    case 'link':
      if (!SAFE_LINK.test(token.href)) return token.raw;
      return h(
        'a',
        { key, href: token.href, rel: 'noopener noreferrer', target: '_blank' },
        inlines(token.tokens),
      );
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inlines(token.tokens) : plain(token);
    default:
      return plain(token);
  }
}

/** As it was written; a picture or a tag is shown as its text. @param {any} token */
function plain(token) {
  return token.raw ?? token.text ?? '';
}

/** @param {{ text: string, language: string }} props */
function CodeBlock({ text, language }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return h(
    'figure',
    { class: 'code' },
    h(
      'figcaption',
      null,
      h('span', null, language.split(/\s/)[0] || 'text'),
      // Only where the page came with TLS, or from this machine.
      navigator.clipboard &&
        h('button', { type: 'button', class: 'plain', onClick: copy }, isCopied ? 'Copied' : 'Copy'),
    ),
    h('pre', { tabIndex: 0 }, h('code', null, text)),
  );
}
