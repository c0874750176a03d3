// Questions of the agent: the whole command with what is dangerous in it, and the answer.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { run } from './api.js';
import { useAction, useNow, useTopic } from './hooks.js';
import { marksIn } from './marks.js';
import { Badge, Empty, Loaded } from './parts.js';
import { age, span } from './words.js';

export function Approvals() {
  const answer = useTopic('approvals');
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'Approvals'),
    h(Loaded, {
      answer,
      children: ({ approvals }) =>
        approvals.length === 0
          ? h(Empty, {
              text: 'Nothing waits for an answer. Dangerous commands are shown here before they run.',
            })
          : h(
              'div',
              { class: 'cards', role: 'list' },
              approvals.map(approval => h(Question, { key: approval.id, approval })),
            ),
    }),
  );
}

const SCOPES = /** @type {const} */ ([
  ['once', 'Once', 'this command, now'],
  ['session', 'Session', 'the same on the same kind of target, as long as this conversation lasts'],
  ['always', 'Always', 'this exact command from now on'],
]);

/** @param {{ approval: any }} props */
function Question({ approval }) {
  const { id, requester, sessionId, sandboxId, command, findings, askedAt, expiresAt } = approval;
  const now = useNow(1000);
  const { isBusy, act } = useAction();
  const [reason, setReason] = useState('');
  const approve = scope => act(() => run('approvals approve', { id }, { scope }), 'Approved.');
  const deny = () => act(() => run('approvals deny', { id }, reason === '' ? {} : { reason }), 'Denied.');
  return h(
    'article',
    { class: 'card approval', role: 'listitem', 'aria-label': `Approval ${id.slice(0, 6)}` },
    h(
      'header',
      null,
      h('h2', null, `${requester} wants to run`),
      h('span', { class: 'dim' }, `asked ${age(askedAt, now)} ago, ${span(expiresAt - now)} left`),
    ),
    h(
      'pre',
      { class: 'code-block command', tabIndex: 0, role: 'region', 'aria-label': 'Command' },
      marksIn(command, findings).map(({ text, severity }, at) =>
        severity ? h('mark', { key: at, class: severity }, text) : text,
      ),
    ),
    h(
      'ul',
      { class: 'findings' },
      findings.map(({ rule, severity, reason: why, part }, at) =>
        h(
          'li',
          { key: `${rule}-${at}` },
          h(Badge, { text: severity }),
          h('span', null, why),
          h('code', { class: 'dim' }, part),
        ),
      ),
    ),
    h(
      'p',
      { class: 'dim' },
      'Session ',
      h('code', null, sessionId.slice(0, 8)),
      sandboxId && [' · ', h('a', { key: 'sandbox', href: `#/sandbox/${sandboxId}` }, 'its sandbox')],
    ),
    h(
      'div',
      { class: 'actions' },
      SCOPES.map(([scope, label, title]) =>
        h(
          'button',
          {
            key: scope,
            type: 'button',
            class: scope === 'once' ? 'primary' : '',
            title,
            disabled: isBusy,
            onClick: () => approve(scope),
          },
          label,
        ),
      ),
      h('span', { class: 'grow' }),
      h('input', {
        type: 'text',
        placeholder: 'Why not?',
        'aria-label': 'Reason for denying',
        maxLength: 1000,
        value: reason,
        onInput: event => setReason(event.currentTarget.value),
      }),
      h('button', { type: 'button', class: 'danger', disabled: isBusy, onClick: deny }, 'Deny'),
    ),
  );
}
