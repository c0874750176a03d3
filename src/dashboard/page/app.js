// The frame of the page: who looks, where they are, what waits for them, and the view itself.
import { h } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Approvals } from './approvals.js';
import { Audit } from './audit.js';
import { Chat } from './chat.js';
import { Shared, useLineState, useTopic } from './hooks.js';
import { Icon } from './icons.js';
import { Overview } from './overview.js';
import { Toasts } from './parts.js';
import { People } from './people.js';
import { Sandbox, Sandboxes } from './sandbox.js';
import { Security } from './security.js';
import { nextTheme, theme } from './theme.js';

const VIEWS = /** @type {const} */ ([
  ['chat', 'Chat', Chat],
  ['overview', 'Overview', Overview],
  ['sandboxes', 'Sandboxes', Sandboxes],
  ['approvals', 'Approvals', Approvals],
  ['people', 'People', People],
  ['audit', 'Audit', Audit],
  ['security', 'Security', Security],
]);

const TOAST_MS = 8000;

function placeNow() {
  const [name = 'chat', id = ''] = location.hash.replace(/^#\/?/, '').split('/');
  return { name: name || 'chat', id };
}

/** @param {{ me: any, live: import('./live.js').Live }} props */
export function App({ me, live }) {
  const [place, setPlace] = useState(placeNow());
  const [toasts, setToasts] = useState(/** @type {{ id: number, text: string, kind: string }[]} */ ([]));
  const number = useRef(0);
  const close = useCallback(id => setToasts(all => all.filter(each => each.id !== id)), []);
  const toast = useCallback(
    (text, kind = 'ok') => {
      const id = ++number.current;
      setToasts(all => [...all.slice(-3), { id, text, kind }]);
      setTimeout(() => close(id), TOAST_MS);
    },
    [close],
  );
  useEffect(() => {
    const moved = () => setPlace(placeNow());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  const shared = useMemo(() => ({ me: { ...me, loadedAt: Date.now() }, live, toast }), [me, live, toast]);
  if (me.standing === 'denied')
    return h(
      'main',
      { class: 'door' },
      h('h1', null, 'Hermes'),
      h('p', null, `${me.person} is kept out of this installation.`),
    );
  return h(
    Shared.Provider,
    { value: shared },
    h(
      'div',
      { class: 'frame' },
      h('a', { class: 'skip', href: '#main', onClick: focusMain }, 'Skip to content'),
      h(Side, { place, isOwner: me.standing === 'owner', me }),
      h(Lost, null),
      h(View, { place, isOwner: me.standing === 'owner' }),
      h(Toasts, { toasts, onClose: close }),
    ),
  );
}

/** @param {Event} event */
function focusMain(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** @param {{ place: any, isOwner: boolean }} props */
function View({ place, isOwner }) {
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const isFirst = useRef(true);
  const title =
    VIEWS.find(([name]) => name === place.name)?.[1] ?? (place.name === 'sandbox' ? 'Sandbox' : 'Chat');
  useEffect(() => {
    document.title = `${title} · Hermes`;
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [place.name, place.id, title]);
  const found = VIEWS.find(([name]) => name === place.name);
  const shown =
    !isOwner || !(found || place.name === 'sandbox')
      ? h(Chat, null)
      : place.name === 'sandbox'
        ? h(Sandbox, { id: place.id, key: place.id })
        : h(found?.[2] ?? Chat, null);
  return h(
    'main',
    { id: 'main', ref: main, tabIndex: -1, class: `view ${place.name}`, 'aria-label': title },
    shown,
  );
}

/** @param {{ place: any, isOwner: boolean, me: any }} props */
function Side({ place, isOwner, me }) {
  return h(
    'header',
    { class: 'side' },
    h(
      'div',
      { class: 'brand' },
      h('span', { class: 'logo', 'aria-hidden': 'true' }, 'H'),
      h('span', null, 'Hermes'),
    ),
    h(
      'nav',
      { 'aria-label': 'Pages' },
      VIEWS.filter(([name]) => isOwner || name === 'chat').map(([name, title]) =>
        h(
          'a',
          {
            key: name,
            href: `#/${name}`,
            ...(place.name === name || (place.name === 'sandbox' && name === 'sandboxes')
              ? { 'aria-current': 'page' }
              : {}),
          },
          h(Icon, { name }),
          h('span', null, title),
          isOwner && name === 'approvals' && h(Waiting, { topic: 'approvals', list: 'approvals' }),
          isOwner && name === 'people' && h(Waiting, { topic: 'pairings', list: 'pending' }),
        ),
      ),
    ),
    h(
      'div',
      { class: 'foot' },
      h(ThemeButton, null),
      h(
        'span',
        { class: 'who', title: `version ${me.version}` },
        me.person === me.standing ? me.person : `${me.person} · ${me.standing}`,
      ),
    ),
  );
}

/** How many wait. @param {{ topic: string, list: string }} props */
function Waiting({ topic, list }) {
  const count = useTopic(topic)?.data?.[list]?.length ?? 0;
  return count > 0 ? h('span', { class: 'count' }, count, h('span', { class: 'hidden' }, ' waiting')) : null;
}

function ThemeButton() {
  const [now, setNow] = useState(theme());
  return h(
    'button',
    {
      type: 'button',
      class: 'plain',
      title: `Colours: ${now}`,
      'aria-label': `Colours: ${now}. Change`,
      onClick: () => setNow(nextTheme()),
    },
    h(Icon, { name: 'theme' }),
  );
}

function Lost() {
  const state = useLineState();
  return state === 'lost'
    ? h('div', { class: 'lost', role: 'alert' }, 'The connection to the gateway is lost. Trying again…')
    : null;
}
