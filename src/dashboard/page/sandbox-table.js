// The sandboxes that there are, with what they use.
import { h } from 'preact';
import { useNow, useTopic } from './hooks.js';
import { Badge, Card, Empty, Loaded, Table } from './parts.js';
import { age, size } from './words.js';

/** @param {{ title: string }} props */
export function SandboxTable({ title }) {
  const sandboxes = useTopic('sandboxes');
  const usage = useTopic('usage')?.data ?? {};
  const status = useTopic('status')?.data;
  const now = useNow();
  return h(
    Card,
    { title },
    h(Loaded, {
      answer: sandboxes,
      children: data => {
        const rows = data.sandboxes.map(sandbox =>
          rowOf(sandbox, { usage, now, isolation: isolationOf(sandbox, status) }),
        );
        return rows.length === 0
          ? h(Empty, { text: 'There is none. A session gets its sandbox with the first command.' })
          : h(Table, {
              label: title,
              head: ['sandbox', 'state', 'backend', 'isolation', 'age', 'idle', 'memory', 'cpu', 'processes'],
              rows,
            });
      },
    }),
  );
}

/** @param {any} sandbox @param {any} status */
function isolationOf({ backend }, status) {
  return [status?.messaging, status?.cli].find(place => place?.backend === backend)?.isolation ?? '–';
}

/** @param {any} sandbox @param {{ usage: any, now: number, isolation: string }} given */
function rowOf({ id, state, backend, sessionId, createdAt, idleSince, problem }, { usage, now, isolation }) {
  const used = usage[id];
  return [
    h('a', { href: `#/sandbox/${id}` }, h('code', null, id.slice(0, 8))),
    h(
      'span',
      null,
      h(Badge, { text: state }),
      problem && h('span', { class: 'problem' }, ` ${problem}`),
      sessionId === null && h('span', { class: 'dim' }, ' warm pool'),
    ),
    backend,
    isolation,
    age(createdAt, now),
    idleSince === null ? (state === 'leased' ? 'in use' : '–') : age(idleSince, now),
    size(used?.memoryBytes),
    used?.cpuPercent === undefined || used.cpuPercent === null ? '–' : `${used.cpuPercent} %`,
    used ? String(used.processes) : '–',
  ];
}
