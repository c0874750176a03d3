// Attempts to break out of a sandbox as sessions get it, and what became of each.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { run } from './api.js';
import { useAction } from './hooks.js';
import { Badge, Card, Empty, Loading, Table } from './parts.js';

/** @param {{ sandbox: any }} props */
export function Verify({ sandbox }) {
  const { isBusy, act } = useAction();
  const [report, setReport] = useState(/** @type {any} */ (undefined));
  const start = async () => {
    const answer = await act(() => run('sandbox verify', {}, { backend: sandbox.backend }), '');
    if (answer?.data) setReport(answer.data);
  };
  return h(
    Card,
    {
      title: `Containment on ${sandbox.backend}`,
      actions: h(
        'button',
        { type: 'button', class: 'primary', disabled: isBusy, onClick: start },
        'Try to break out',
      ),
    },
    isBusy
      ? h(Loading, { what: 'Trying every known way in a sandbox of its own; this takes up to a minute' })
      : report
        ? h(Report, { report })
        : h(Empty, {
            text: 'Makes another sandbox as sessions get it, tries to break out of it in every known way, and removes it. Attempts that succeed do no harm.',
          }),
  );
}

/** @param {{ report: any }} props */
function Report({ report }) {
  const { rows, summary } = report;
  const cells = rows.map(({ id, expected, verdict, found, ok }) => [
    h('span', null, ok ? '' : '! ', h('code', null, id)),
    expected,
    h(
      'span',
      null,
      h(Badge, { text: verdict, tone: ok ? (verdict === 'contained' ? 'good' : 'warn') : 'bad' }),
      ` ${found}`,
    ),
  ]);
  return h(
    'div',
    null,
    h(
      'p',
      { class: `notice ${summary.unexpected === 0 ? 'good' : 'bad'}` },
      `${rows.length} attempts: ${summary.contained} contained, ${summary['not contained']} not contained, ${summary['not enforceable here']} not enforceable here. ${summary.unexpected === 0 ? 'Nothing is worse than expected.' : `${summary.unexpected} worse than expected.`}`,
    ),
    h(Table, { label: 'Attempts to break out', head: ['attempt', 'expected', 'found'], rows: cells }),
  );
}
