// The whole installation: what is wrong first, then how it goes, then what there is.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { Chart } from './chart.js';
import { useNow, useTopic } from './hooks.js';
import { Icon } from './icons.js';
import { Badge, Card, Empty, Loaded, Table } from './parts.js';
import { SandboxTable } from './sandbox-table.js';
import { age, size, span } from './words.js';

export function Overview() {
  const status = useTopic('status');
  const pairings = useTopic('pairings');
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'Overview'),
    h(Loaded, {
      answer: status,
      children: data => h(Warnings, { status: data, waiting: pairings?.data?.pending?.length ?? 0 }),
    }),
    h(Loaded, { answer: status, children: data => h(Tiles, { status: data }) }),
    h(Charts, null),
    h(Loaded, {
      answer: status,
      children: data => h(Platforms, { platforms: data.gateway?.platforms ?? [] }),
    }),
    h(SandboxTable, { title: 'Sandboxes' }),
    h(Sessions, null),
  );
}

/** @param {{ status: any, waiting: number }} props */
function Warnings({ status, waiting }) {
  const down = (status.gateway?.platforms ?? []).filter(({ state }) => state !== 'connected');
  const list = [
    ...(status.approvals > 0
      ? [
          {
            text: `${status.approvals === 1 ? 'A question of the agent waits' : `${status.approvals} questions of the agent wait`} for an answer.`,
            to: '#/approvals',
          },
        ]
      : []),
    ...(waiting > 0
      ? [
          {
            text: waiting === 1 ? 'A stranger asks to be let in.' : `${waiting} strangers ask to be let in.`,
            to: '#/people',
          },
        ]
      : []),
    ...down.map(({ name, state, reason }) => ({
      text: `${name} is ${state}${reason ? `: ${reason}` : ''}.`,
      to: '',
    })),
    ...status.warnings.map(text => ({ text, to: '#/security' })),
  ];
  if (list.length === 0) return h('div', { class: 'notice good' }, 'Nothing needs your attention.');
  return h(
    'ul',
    { class: 'notices', 'aria-label': 'Needs attention' },
    list.map(({ text, to }) =>
      h(
        'li',
        { key: text, class: 'notice warn' },
        h(Icon, { name: 'warning' }),
        h('span', { class: 'grow lines' }, text),
        to && h('a', { href: to }, 'Look'),
      ),
    ),
  );
}

/** @param {{ status: any }} props */
function Tiles({ status }) {
  const now = useNow();
  const { gateway, messaging, sandboxes } = status;
  const states = Object.entries(sandboxes).map(([state, count]) => `${count} ${state}`);
  const connected = (gateway?.platforms ?? []).filter(({ state }) => state === 'connected').length;
  const tiles = [
    [
      'Gateway',
      gateway?.state ?? 'not running',
      gateway ? `for ${span(now - gateway.startedAt)}, version ${gateway.version}` : '',
    ],
    ['Platforms', `${connected} of ${gateway?.platforms?.length ?? 0}`, 'connected'],
    ['Runs', String(gateway?.runs?.active ?? 0), `${gateway?.runs?.waiting ?? 0} waiting`],
    [
      'Sandboxes',
      String(Object.values(sandboxes).reduce((all, each) => all + Number(each), 0)),
      states.join(', ') || 'none yet',
    ],
    [
      'Chats run on',
      messaging.backend ?? 'undecided',
      messaging.isolation ? `isolation ${messaging.isolation}, network ${messaging.network}` : messaging.why,
    ],
  ];
  return h(
    'dl',
    { class: 'tiles' },
    tiles.map(([title, value, more]) =>
      h(
        'div',
        { key: title, class: 'tile' },
        h('dt', null, title),
        h('dd', null, h('strong', null, value), h('span', null, more)),
      ),
    ),
  );
}

function Charts() {
  const samples = useTopic('figures')?.data ?? [];
  const points = of => samples.map(sample => ({ at: sample.at, value: of(sample) }));
  const perMinute = samples.map((sample, at) => {
    const before = samples[Math.max(0, at - 12)];
    const minutes = Math.max(1 / 12, (sample.at - before.at) / 60_000);
    return { at: sample.at, value: at === 0 ? 0 : (sample.messages - before.messages) / minutes };
  });
  const whole = value => String(Math.round(value));
  return h(
    'section',
    { class: 'charts', 'aria-label': 'Figures over time' },
    h(Chart, { title: 'Sandboxes awake', points: points(each => each.sandboxes), show: whole }),
    h(Chart, { title: 'Runs', points: points(each => each.runs), show: whole }),
    h(Chart, {
      title: 'Messages a minute',
      points: perMinute,
      show: value => value.toFixed(value < 10 ? 1 : 0),
    }),
    h(Chart, { title: 'Memory', points: points(each => each.memoryBytes), show: size }),
  );
}

/** @param {{ platforms: readonly any[] }} props */
function Platforms({ platforms }) {
  const rows = platforms.map(({ name, state, account, reason }) => [
    h('strong', null, name),
    h(Badge, { text: state }),
    account ?? reason ?? '',
  ]);
  return h(
    Card,
    { title: 'Platforms' },
    rows.length === 0
      ? h(Empty, { text: 'None is set up. The documentation says how to connect Telegram.' })
      : h(Table, { label: 'Platforms', head: ['platform', 'state', 'account'], rows }),
  );
}

function Sessions() {
  const sessions = useTopic('sessions');
  const now = useNow();
  const [wanted, setWanted] = useState('');
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter sessions',
    value: wanted,
    onInput: event => setWanted(event.currentTarget.value),
  });
  return h(
    Card,
    { title: `Sessions${sessions?.data ? ` (${sessions.data.sessions.length})` : ''}`, actions: filter },
    h(Loaded, {
      answer: sessions,
      children: data => {
        const rows = data.sessions
          .filter(({ id, platform, chat, person }) =>
            `${id} ${platform} ${chat} ${person ?? ''}`.toLowerCase().includes(wanted.toLowerCase()),
          )
          .map(({ id, platform, chat, person, activeAt, sandbox }) => [
            h('code', null, id.slice(0, 8)),
            platform,
            person ? `${chat} (${person})` : chat,
            `${age(activeAt, now)} ago`,
            sandbox ? h('a', { href: `#/sandbox/${sandbox.id}` }, h(Badge, { text: sandbox.state })) : '–',
          ]);
        return rows.length === 0
          ? h(Empty, { text: wanted ? 'No session fits.' : 'Nobody has talked to the agent yet.' })
          : h(Table, { label: 'Sessions', head: ['session', 'platform', 'chat', 'active', 'sandbox'], rows });
      },
    }),
  );
}
