// The building stones of every view: states, badges, tables, questions, remarks.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.js';

/** @param {{ children?: any, text?: string }} props */
export function Empty({ children, text }) {
  return h('div', { class: 'empty' }, text, children);
}

/** @param {{ what?: string }} props */
export function Loading({ what = 'Loading' }) {
  return h('div', { class: 'loading', role: 'status' }, h('span', { class: 'spinner' }), `${what}…`);
}

/** @param {{ error: any, onRetry?: () => void }} props */
export function Failure({ error, onRetry }) {
  return h(
    'div',
    { class: 'notice bad', role: 'alert' },
    h(Icon, { name: 'warning' }),
    h(
      'div',
      { class: 'grow' },
      h('p', null, String(error.message ?? error)),
      error.code && h('p', { class: 'dim code' }, error.code),
    ),
    onRetry && h('button', { type: 'button', onClick: onRetry }, 'Try again'),
  );
}

/** One of: still loading, failed, or what `show` makes of it. @param {{ answer: any, what?: string, onRetry?: () => void, children: (data: any) => any }} props */
export function Loaded({ answer, what, onRetry, children }) {
  if (answer?.error) return h(Failure, { error: answer.error, ...(onRetry ? { onRetry } : {}) });
  if (answer?.data === undefined) return h(Loading, what ? { what } : {});
  return children(answer.data);
}

const TONES = {
  ready: 'good',
  leased: 'good',
  connected: 'good',
  contained: 'good',
  works: 'good',
  allowed: 'good',
  owner: 'info',
  exited: 'good',
  running: 'info',
  suspended: 'calm',
  low: 'calm',
  medium: 'warn',
  offline: 'warn',
  connecting: 'warn',
  warning: 'warn',
  high: 'bad',
  critical: 'bad',
  failed: 'bad',
  denied: 'bad',
  error: 'bad',
};

/** @param {{ text: string, tone?: string }} props */
export function Badge({ text, tone }) {
  return h('span', { class: `badge ${tone ?? TONES[text] ?? 'calm'}` }, text);
}

/** @param {{ title: string, children?: any, actions?: any, id?: string }} props */
export function Card({ title, children, actions, id }) {
  return h(
    'section',
    { class: 'card', ...(id ? { id } : {}), 'aria-label': title },
    h('header', null, h('h2', null, title), actions && h('div', { class: 'actions' }, actions)),
    children,
  );
}

/**
 * Rows grow as one scrolls to their end, so that a thousand of them cost what is seen.
 * @param {{ label: string, head: readonly any[], rows: readonly (readonly any[])[], step?: number }} props
 */
export function Table({ label, head, rows, step = 60 }) {
  const [shown, setShown] = useState(step);
  const end = useRef(null);
  useEffect(() => {
    if (!end.current) return undefined;
    const watcher = new IntersectionObserver(
      seen => seen.some(each => each.isIntersecting) && setShown(count => count + step),
      { rootMargin: '400px' },
    );
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [step, shown, rows.length]);
  return h(
    'div',
    { class: 'table', role: 'region', 'aria-label': label, tabIndex: 0 },
    h(
      'table',
      { 'aria-rowcount': rows.length + 1 },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head.map(cell => h('th', { scope: 'col' }, cell)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.slice(0, shown).map((cells, at) =>
          h(
            'tr',
            { key: at },
            cells.map((cell, nth) => h('td', { 'data-label': head[nth] }, cell)),
          ),
        ),
      ),
    ),
    shown < rows.length && h('div', { ref: end, class: 'more' }, `${rows.length - shown} more…`),
  );
}

/**
 * A question before something that cannot be undone.
 * @param {{ title: string, text: string, yes: string, onYes: () => void, onClose: () => void }} props
 */
export function Confirm({ title, text, yes, onYes, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return h(
    'dialog',
    { ref: dialog, onClose, 'aria-labelledby': 'confirm-title' },
    h('h2', { id: 'confirm-title' }, title),
    h('p', null, text),
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', onClick: () => dialog.current?.close() }, 'Cancel'),
      h(
        'button',
        {
          type: 'button',
          class: 'danger',
          onClick: () => {
            dialog.current?.close();
            onYes();
          },
        },
        yes,
      ),
    ),
  );
}

/** @param {{ toasts: readonly { id: number, text: string, kind: string }[], onClose: (id: number) => void }} props */
export function Toasts({ toasts, onClose }) {
  return h(
    'div',
    { class: 'toasts', role: 'status', 'aria-live': 'polite' },
    toasts.map(({ id, text, kind }) =>
      h(
        'div',
        { key: id, class: `toast ${kind}` },
        h('span', null, text),
        h(
          'button',
          { type: 'button', class: 'plain', 'aria-label': 'Dismiss', onClick: () => onClose(id) },
          '×',
        ),
      ),
    ),
  );
}

/** Text of a strange origin as it is, in the font of code. @param {{ text: string, label?: string }} props */
export function Code({ text, label }) {
  return h(
    'pre',
    { class: 'code-block', tabIndex: 0, ...(label ? { 'aria-label': label, role: 'region' } : {}) },
    text,
  );
}
