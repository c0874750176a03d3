// Who may talk to the agent: strangers who ask, those who were let in, and those who are kept out.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { run } from './api.js';
import { useAction, useNow, useShared, useTopic } from './hooks.js';
import { Badge, Card, Confirm, Empty, Loaded, Table } from './parts.js';
import { age, span } from './words.js';

export function People() {
  const pairings = useTopic('pairings');
  const people = useTopic('people');
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'People'),
    h(
      Card,
      { title: 'Asking to be let in' },
      h(Loaded, { answer: pairings, children: data => h(Strangers, { data }) }),
    ),
    h(Card, { title: 'Decided' }, h(Loaded, { answer: people, children: data => h(Known, { data }) })),
    h(LetIn, null),
  );
}

/** @param {{ data: any }} props */
function Strangers({ data: { pending, locked } }) {
  return h(
    'div',
    null,
    locked.map(({ platform }) =>
      h(
        'p',
        { key: platform, class: 'notice warn' },
        `Approving by code on ${platform} is locked after wrong codes.`,
      ),
    ),
    pending.length === 0
      ? h(Empty, { text: 'Nobody is waiting. A stranger who writes to the bot appears here.' })
      : h(
          'div',
          { class: 'cards', role: 'list' },
          pending.map(request => h(Stranger, { key: request.id, request })),
        ),
  );
}

/** @param {{ request: any }} props */
function Stranger({ request }) {
  const { platform, userId, name, event, createdAt, expiresAt } = request;
  const now = useNow();
  const { isBusy, act } = useAction();
  const person = `${platform}:${userId}`;
  const decide = (verb, done) => act(() => run(`people ${verb}`, { person }), done);
  return h(
    'article',
    { class: 'card stranger', role: 'listitem', 'aria-label': `${name} on ${platform}` },
    h('header', null, h('h3', null, name), h('code', null, person)),
    h('blockquote', { class: 'lines' }, event?.text ?? ''),
    h(
      'p',
      { class: 'dim' },
      `wrote ${age(createdAt, now)} ago, the request ends in ${span(expiresAt - now)}. Anybody may choose any name: the id counts.`,
    ),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'primary',
          disabled: isBusy,
          onClick: () => decide('allow', `${person} may talk to the agent.`),
        },
        'Let in',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'danger',
          disabled: isBusy,
          onClick: () => decide('deny', `${person} is kept out.`),
        },
        'Keep out',
      ),
    ),
  );
}

/** @param {{ data: any }} props */
function Known({ data: { people, configured, everybody } }) {
  const now = useNow();
  const rows = people.map(person => [
    h('code', null, `${person.platform}:${person.userId}`),
    person.name ?? '',
    h(Badge, { text: person.standing === 'denied' ? 'denied' : person.role }),
    person.decidedBy,
    `${age(person.decidedAt, now)} ago`,
    h(Choices, { person }),
  ]);
  return h(
    'div',
    null,
    everybody.map(key =>
      h('p', { key, class: 'notice bad' }, `${key} is true: everybody there may use the agent.`),
    ),
    rows.length === 0
      ? h(Empty, { text: 'Nobody has been let in or kept out yet.' })
      : h(Table, { label: 'People', head: ['person', 'name', 'role', 'decided by', 'when', ''], rows }),
    configured.map(({ setting, people: list }) =>
      h('p', { key: setting, class: 'dim' }, `${setting}: ${list.join(', ')}`),
    ),
  );
}

/** @param {{ person: any }} props */
function Choices({ person: { platform, userId, role, standing } }) {
  const { me } = useShared();
  const { isBusy, act } = useAction();
  const [isAsked, setAsked] = useState(false);
  const person = `${platform}:${userId}`;
  const isMe = platform === me.platform && userId === me.person;
  const other = role === 'owner' ? 'user' : 'owner';
  if (isMe) return h('span', { class: 'dim' }, 'you');
  return h(
    'div',
    { class: 'actions' },
    standing === 'denied'
      ? h(
          'button',
          {
            type: 'button',
            disabled: isBusy,
            onClick: () => act(() => run('people allow', { person }), `${person} may talk to the agent.`),
          },
          'Let in',
        )
      : h(
          'button',
          {
            type: 'button',
            disabled: isBusy,
            onClick: () =>
              act(() => run('people role', { person, role: other }), `${person} is ${other} now.`),
          },
          `Make ${other}`,
        ),
    h(
      'button',
      {
        type: 'button',
        class: 'danger',
        disabled: isBusy,
        'aria-label': `Revoke ${person}`,
        onClick: () => setAsked(true),
      },
      standing === 'denied' ? 'Forget' : 'Revoke',
    ),
    isAsked &&
      h(Confirm, {
        title: `Forget ${person}?`,
        text: 'They become a stranger again, and can ask to be let in.',
        yes: 'Forget',
        onYes: () => act(() => run('people forget', { person }), `${person} is a stranger again.`),
        onClose: () => setAsked(false),
      }),
  );
}

function LetIn() {
  const { isBusy, act } = useAction();
  const [person, setPerson] = useState('');
  const submit = async event => {
    event.preventDefault();
    if (await act(() => run('people allow', { person }), `${person} may talk to the agent.`)) setPerson('');
  };
  return h(
    Card,
    { title: 'Let somebody in by id' },
    h(
      'form',
      { class: 'row', onSubmit: submit },
      h('input', {
        type: 'text',
        value: person,
        placeholder: 'telegram:123456789',
        'aria-label': 'Person, as platform and id',
        onInput: event => setPerson(event.currentTarget.value),
      }),
      h('button', { type: 'submit', disabled: isBusy || person === '' }, 'Let in'),
    ),
  );
}
