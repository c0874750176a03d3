// One sandbox: what it is and why, what is in it, and the ways to end it.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { run } from './api.js';
import { useAction, useCommand, useNow, useTopic } from './hooks.js';
import { Badge, Confirm, Loaded } from './parts.js';
import { Explain } from './sandbox-explain.js';
import { Files } from './sandbox-files.js';
import { Logs, Processes } from './sandbox-logs.js';
import { SandboxTable } from './sandbox-table.js';
import { Terminal } from './sandbox-terminal.js';
import { Verify } from './sandbox-verify.js';
import { age, fullTime } from './words.js';

export function Sandboxes() {
  return h('div', { class: 'page' }, h('h1', null, 'Sandboxes'), h(SandboxTable, { title: 'All sandboxes' }));
}

const TABS = /** @type {const} */ ([
  ['explain', 'Explain', Explain],
  ['processes', 'Processes', Processes],
  ['files', 'Files', Files],
  ['terminal', 'Terminal', Terminal],
  ['logs', 'Logs', Logs],
  ['verify', 'Verify', Verify],
]);

/** @param {{ id: string }} props */
export function Sandbox({ id }) {
  const inspected = useCommand('sandbox inspect', { id });
  const all = useTopic('sandboxes');
  const now = all?.data?.sandboxes.find(each => each.id === id);
  return h(
    'div',
    { class: 'page' },
    h(Loaded, {
      answer: inspected,
      onRetry: inspected.reload,
      children: data => {
        const sandbox = { ...data, ...(now ?? (all?.data ? { state: 'gone' } : {})) };
        return [h(Head, { sandbox, key: 'head' }), h(Tabs, { sandbox, key: 'tabs' })];
      },
    }),
  );
}

/** @param {{ sandbox: any }} props */
function Head({ sandbox }) {
  const now = useNow();
  const [asked, setAsked] = useState('');
  const { isBusy, act } = useAction();
  const { id, state, backend, name, sessionId, createdAt, idleSince, hasDrifted } = sandbox;
  const isThere = state !== 'gone';
  const change = verb =>
    act(
      () => run(`sandbox ${verb}`, { id }),
      verb === 'destroy' ? 'The sandbox is gone.' : 'The sandbox is suspended.',
    );
  return h(
    'div',
    { class: 'sandbox-head' },
    h('a', { href: '#/sandboxes', class: 'back' }, '← All sandboxes'),
    h(
      'div',
      { class: 'title-row' },
      h('h1', null, 'Sandbox ', h('code', null, id.slice(0, 8))),
      h(Badge, { text: state }),
      h('span', { class: 'grow' }),
      isThere &&
        h(
          'button',
          { type: 'button', disabled: isBusy || state === 'suspended', onClick: () => change('suspend') },
          'Suspend',
        ),
      isThere &&
        h(
          'button',
          { type: 'button', class: 'danger', disabled: isBusy, onClick: () => setAsked('destroy') },
          'Destroy',
        ),
    ),
    h(
      'p',
      { class: 'dim' },
      `${backend}${name ? `, there called ${name}` : ''} · made ${age(createdAt, now)} ago (${fullTime(createdAt)}) · ${idleSince === null ? 'not idle' : `idle for ${age(idleSince, now)}`} · session ${sessionId ?? 'none'}`,
    ),
    hasDrifted &&
      h(
        'p',
        { class: 'notice warn' },
        'The settings have changed since it was made. It is made anew when next idle, with its files.',
      ),
    asked === 'destroy' &&
      h(Confirm, {
        title: 'Destroy this sandbox?',
        text: 'It is removed with all its files. Its session gets a new one with the next message.',
        yes: 'Destroy',
        onYes: () => change('destroy'),
        onClose: () => setAsked(''),
      }),
  );
}

/** @param {{ sandbox: any }} props */
function Tabs({ sandbox }) {
  const [chosen, setChosen] = useState('explain');
  const at = TABS.findIndex(([name]) => name === chosen);
  const View = TABS[at]?.[2] ?? Explain;
  const onKeyDown = event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const [name = 'explain'] = TABS[(at + step + TABS.length) % TABS.length] ?? [];
    setChosen(name);
    document.getElementById(`tab-${name}`)?.focus();
  };
  return h(
    'div',
    null,
    h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'About this sandbox', onKeyDown },
      TABS.map(([name, title]) =>
        h(
          'button',
          {
            key: name,
            id: `tab-${name}`,
            type: 'button',
            role: 'tab',
            'aria-selected': String(name === chosen),
            'aria-controls': 'tab-panel',
            tabIndex: name === chosen ? 0 : -1,
            onClick: () => setChosen(name),
          },
          title,
        ),
      ),
    ),
    h(
      'div',
      { id: 'tab-panel', role: 'tabpanel', 'aria-labelledby': `tab-${chosen}`, class: 'tab-panel' },
      h(View, { sandbox, key: chosen }),
    ),
  );
}
