// What runs in a sandbox, and what was done in it.
import { h } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { getJson } from './api.js';
import { AuditTable } from './audit.js';
import { useCommand } from './hooks.js';
import { Badge, Card, Code, Empty, Failure, Loaded, Loading, Table } from './parts.js';
import { fullTime, size } from './words.js';

const EVERY_MS = 3000;

/** @param {{ sandbox: any }} props */
export function Processes({ sandbox }) {
  const [answer, setAnswer] = useState(/** @type {any} */ ({}));
  const look = useCallback(
    () =>
      getJson(`/api/processes?sandbox=${sandbox.id}`).then(
        data => setAnswer({ data }),
        error => setAnswer({ error }),
      ),
    [sandbox.id],
  );
  useEffect(() => {
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  if (answer.error) return h(Failure, { error: answer.error, onRetry: look });
  if (!answer.data) return h(Loading, null);
  if (!answer.data.isAwake) return h(Empty, { text: 'The sandbox is not awake: nothing runs in it.' });
  const rows = answer.data.processes.map(({ pid, parent, memoryBytes, command }) => [
    String(pid),
    String(parent),
    size(memoryBytes),
    h('code', { class: 'wrap' }, command),
  ]);
  return h(
    Card,
    { title: 'Processes, as seen inside' },
    h(Table, { label: 'Processes', head: ['process', 'parent', 'memory', 'command'], rows }),
  );
}

/** @param {{ sandbox: any }} props */
export function Logs({ sandbox }) {
  const answer = useCommand('sandbox logs', { id: sandbox.id }, { last: 200 });
  return h(Loaded, {
    answer,
    onRetry: answer.reload,
    children: ({ entries, processes, unread }) =>
      h(
        'div',
        null,
        h(
          Card,
          {
            title: 'What was done in it',
            actions: h('button', { type: 'button', onClick: answer.reload }, 'Reload'),
          },
          entries.length === 0
            ? h(Empty, { text: 'Nothing was done in it yet.' })
            : h(AuditTable, { entries: entries.toReversed(), label: 'What was done in this sandbox' }),
        ),
        h(
          Card,
          { title: 'Background processes' },
          unread && h('p', { class: 'notice warn' }, unread),
          processes.length === 0
            ? h(Empty, { text: 'None was started.' })
            : processes.map(({ id, command, state, code, startedAt, log }) =>
                h(
                  'div',
                  { key: id, class: 'process' },
                  h(
                    'p',
                    null,
                    h(Badge, { text: code === null ? state : `${state} ${code}` }),
                    h('span', { class: 'dim' }, ` since ${fullTime(startedAt)}`),
                  ),
                  h(Code, { text: command }),
                  log && h(Code, { text: log, label: `Output of ${id}` }),
                ),
              ),
        ),
      ),
  });
}
