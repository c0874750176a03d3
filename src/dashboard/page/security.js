// What is dangerous about this installation and what does not work, each with what to do about it.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { run } from './api.js';
import { useAction, useCommand } from './hooks.js';
import { Badge, Card, Empty, Loaded, Loading, Table } from './parts.js';
import { many } from './words.js';

export function Security() {
  const audit = useCommand('security audit');
  const again = h(
    'button',
    { type: 'button', disabled: audit.isLoading, onClick: audit.reload },
    'Check again',
  );
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'Security'),
    h(
      Card,
      { title: 'Is it safe?', actions: again },
      h(Loaded, {
        answer: audit,
        what: 'Checking',
        onRetry: audit.reload,
        children: data => h(AuditReport, { data }),
      }),
    ),
    h(Doctor, null),
  );
}

/** @param {{ data: any }} props */
function AuditReport({ data: { findings, ignored, counts, checks, notes } }) {
  const isBad = counts.critical + counts.high > 0;
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`);
  return h(
    'div',
    null,
    h(
      'p',
      { class: `notice ${isBad ? 'bad' : findings.length > 0 ? 'warn' : 'good'}` },
      `${many(checks, 'check')}: ${said.length === 0 ? 'nothing dangerous was found' : said.join(', ')}.`,
    ),
    h(
      'ol',
      { class: 'findings big' },
      findings.map(({ id, severity, title, why, fix, found }) =>
        h(Finding, { key: id, severity, title, about: id, text: why, found, fix }),
      ),
    ),
    ignored.map(({ id, reason }) => h('p', { key: id, class: 'dim' }, `Accepted: ${id} (${reason})`)),
    notes.map(text => h('p', { key: text, class: 'dim' }, text)),
  );
}

function Doctor() {
  const { isBusy, act } = useAction();
  const [data, setData] = useState(/** @type {any} */ (undefined));
  const start = async () => {
    const answer = await act(() => run('doctor'), '');
    if (answer?.data) setData(answer.data);
  };
  const button = { type: 'button', class: 'primary', disabled: isBusy, onClick: start };
  return h(
    Card,
    { title: 'Does it work?', actions: h('button', button, 'Examine') },
    isBusy
      ? h(Loading, { what: 'Examining; a real sandbox is made, used and removed' })
      : data
        ? h(Diagnosis, { data })
        : h(Empty, { text: 'Tries everything that is set up, with a real sandbox on each backend.' }),
  );
}

/** @param {{ data: any }} props */
function Diagnosis({ data: { areas, findings } }) {
  const tones = { ok: 'good', warning: 'warn', error: 'bad' };
  const rows = areas.map(({ area, state, said }) => [
    h('strong', null, area),
    h(Badge, { text: state, tone: tones[state] ?? 'calm' }),
    said,
  ]);
  return h(
    'div',
    null,
    h(
      'ol',
      { class: 'findings big' },
      findings.map(({ number, severity, subject, area, message, fix }) =>
        h(Finding, { key: number, severity, title: message, about: `${area}: ${subject}`, fix }),
      ),
    ),
    h(Table, { label: 'What was examined', head: ['area', 'state', 'seen'], rows }),
  );
}

/** @param {{ severity: string, title: string, about: string, text?: string, found?: readonly string[], fix: string }} props */
function Finding({ severity, title, about, text, found = [], fix }) {
  return h(
    'li',
    null,
    h(
      'div',
      { class: 'finding-head' },
      h(Badge, { text: severity }),
      h('strong', null, title),
      h('code', { class: 'dim' }, about),
    ),
    text && h('p', { class: 'dim lines' }, text),
    found.length > 0 &&
      h(
        'ul',
        { class: 'found' },
        found.map(each => h('li', { key: each }, each)),
      ),
    h('p', { class: 'fix' }, 'Fix: ', h('code', null, fix)),
  );
}
