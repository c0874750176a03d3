// Where commands run and why: every part with the setting that decided it, and what could be hurt outside.
import { h } from 'preact';
import { useCommand } from './hooks.js';
import { Card, Loaded, Table } from './parts.js';
import { span } from './words.js';

/** @param {{ sandbox: any }} props */
export function Explain({ sandbox }) {
  const answer = useCommand('sandbox explain', sandbox.sessionId ? { session: sandbox.sessionId } : {});
  return h(Loaded, { answer, onRetry: answer.reload, children: data => h(Explanation, { data }) });
}

const ROWS = /** @type {const} */ ([
  ['backend', 'backend', String],
  ['image', 'image', value => value ?? 'none'],
  ['network', 'network', String],
  [
    'limits',
    'limits',
    limits =>
      `${limits.cpus} cpu, ${limits.memoryMiB} MiB memory, ${limits.diskMiB} MiB disk, ${limits.processes} processes`,
  ],
  ['mounts', 'mounts', list => list.join(', ') || 'none'],
  ['credentials', 'credentials', list => list.join(', ') || 'none'],
  ['persistent', 'files kept', value => (value ? 'yes' : 'no')],
  ['lifetimeSeconds', 'idle for', value => span(value * 1000)],
  ['retentionSeconds', 'suspended for', value => span(value * 1000)],
  ['timeoutSeconds', 'time limit', value => span(value * 1000)],
  ['persistentShell', 'shell', value => (value ? 'persistent' : 'new for each command')],
  ['approvals', 'approvals', String],
]);

/** @param {{ data: any }} props */
function Explanation({ data }) {
  if (data.refusal)
    return h(
      'div',
      { class: 'notice bad' },
      h(
        'div',
        null,
        h('p', null, `Nothing would run. ${data.refusal.reason}`),
        h('p', null, `Fix: ${data.refusal.fix}`),
      ),
    );
  const rows = ROWS.filter(([key]) => data[key]).map(([key, title, text]) => {
    const { value, origin, ifChosen } = data[key];
    const shown = ifChosen
      ? Object.entries(ifChosen)
          .map(([name, each]) => `${name}: ${text(/** @type {any} */ (each).value)}`)
          .join('; ')
      : text(value);
    return [title, shown, h('span', { class: 'dim' }, origin)];
  });
  const { exposures, asked, approvals, sandbox } = data;
  return h(
    'div',
    null,
    h(
      Card,
      { title: 'Exposure' },
      exposures.length === 0
        ? h('p', { class: 'notice good' }, 'Nothing outside the sandbox is exposed.')
        : h(
            'ul',
            { class: 'plain-list' },
            exposures.map(text => h('li', { key: text, class: 'notice warn' }, text)),
          ),
    ),
    h(
      Card,
      { title: 'Where, and why' },
      h(Table, {
        label: 'Where commands run, and which setting decided it',
        head: ['what', 'is', 'decided by'],
        rows,
      }),
    ),
    h(Card, { title: 'Asked before a command runs' }, h('p', null, askedText(asked, approvals?.value))),
    sandbox?.hasDrifted &&
      h(
        Card,
        { title: 'What has changed since it was made' },
        h(Table, {
          label: 'Changes',
          head: ['part', 'was', 'is now'],
          rows: sandbox.drift.map(({ part, was, is }) => [part, JSON.stringify(was), JSON.stringify(is)]),
        }),
      ),
  );
}

/** @param {any} asked @param {string} mode */
function askedText({ about, by }, mode) {
  if (mode === 'off') return 'Nothing: approvals.mode is off.';
  if (about.length === 0) return 'Nothing: the sandbox holds what commands could do.';
  return `${about.join(', ')}. ${by.length === 0 ? 'There is no owner yet, so the answer is no.' : `Answered by ${by.join(', ')}.`}`;
}
