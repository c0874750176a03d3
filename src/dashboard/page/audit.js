// Who caused what, in which sandbox, with which outcome: filtered, and saved as a file.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { saveText } from './api.js';
import { csvOf } from './csv.js';
import { useCommand } from './hooks.js';
import { Badge, Card, Empty, Loaded, Table } from './parts.js';
import { dayTime, fullTime } from './words.js';

const LAST = 2000;
const SPANS = /** @type {const} */ ([
  ['1h', 'last hour'],
  ['1d', 'last day'],
  ['7d', 'last week'],
  ['3650d', 'everything'],
]);

export function Audit() {
  const [since, setSince] = useState('1d');
  const [wanted, setWanted] = useState('');
  const answer = useCommand('audit list', {}, { since, last: LAST });
  const fits = entry =>
    `${entry.actor} ${entry.action} ${entry.subject} ${entry.outcome} ${entry.sessionId ?? ''} ${entry.sandboxId ?? ''}`
      .toLowerCase()
      .includes(wanted.toLowerCase());
  const entries = (answer.data?.entries ?? []).filter(fits).toReversed();
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'Audit'),
    h(
      'form',
      { class: 'row filters', role: 'search', onSubmit: event => event.preventDefault() },
      h(
        'label',
        null,
        'Time ',
        h(
          'select',
          { value: since, onChange: event => setSince(event.currentTarget.value) },
          SPANS.map(([value, label]) => h('option', { key: value, value }, label)),
        ),
      ),
      h('input', {
        type: 'search',
        class: 'grow',
        placeholder: 'Person, command, outcome, id',
        'aria-label': 'Filter the audit',
        value: wanted,
        onInput: event => setWanted(event.currentTarget.value),
      }),
      h('button', { type: 'button', onClick: answer.reload }, 'Reload'),
      h(
        'button',
        {
          type: 'button',
          disabled: entries.length === 0,
          onClick: () => saveText('audit.csv', csvOf(entries), 'text/csv'),
        },
        'Export CSV',
      ),
      h(
        'button',
        {
          type: 'button',
          disabled: entries.length === 0,
          onClick: () => saveText('audit.json', JSON.stringify(entries, null, 2), 'application/json'),
        },
        'Export JSON',
      ),
    ),
    h(
      Card,
      {
        title: answer.data
          ? `Entries (${entries.length}${answer.data.entries.length === LAST ? ` of the newest ${LAST}` : ''})`
          : 'Entries',
      },
      h(Loaded, {
        answer,
        onRetry: answer.reload,
        children: () =>
          entries.length === 0
            ? h(Empty, { text: wanted ? 'No entry fits.' : 'Nothing was done in this time.' })
            : h(AuditTable, { entries, label: 'Audit' }),
      }),
    ),
  );
}

/** @param {{ entries: readonly any[], label: string }} props */
export function AuditTable({ entries, label }) {
  const rows = entries.map(({ at, actor, action, subject, outcome, sandboxId }) => [
    h('time', { class: 'nowrap', title: fullTime(at), dateTime: new Date(at).toISOString() }, dayTime(at)),
    h('span', { class: 'nowrap' }, actor),
    h('span', { class: 'dim' }, action),
    h('code', { class: 'wrap' }, subject),
    h(Badge, {
      text: outcome.replace(/^(\w+) (\d+)$/, '$1\u00a0$2'),
      tone: /^(?:denied|failed|timed|sandbox-lost)/.test(outcome) ? 'bad' : 'calm',
    }),
    sandboxId ? h('a', { href: `#/sandbox/${sandboxId}` }, h('code', null, sandboxId.slice(0, 6))) : '',
  ]);
  return h(Table, { label, head: ['time', 'who', 'kind', 'what', 'outcome', 'sandbox'], rows });
}
