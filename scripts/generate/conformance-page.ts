// docs/backends/conformance.md, from the manifest of requirements and the matrix of a whole run.
import type { Matrix } from '../../test/conformance/matrix.ts';
import { families, requirements } from '../../test/conformance/requirements.ts';

export const PAGE = 'docs/backends/conformance.md';

const INTRODUCTION = `# What every backend is proved to do

Written by \`npm run conformance -- --write\` after a run of every column; do not edit.

Each row is a requirement of \`test/conformance/requirements\`, proved on real components by the tests that cite its id;
what holds for one-shot and persistent commands alike is proved in both. \`n/a\`: the backend does not claim what the
requirement needs. Deliberately broken drivers prove that the tests notice.

A column headed \`(protocol double)\` was tested against a protocol double, never against the service: the real SDK talks to a
server on loopback that answers the same calls. [\`modal\`](modal.md) and [\`daytona\`](daytona.md) say how to run theirs against
the service (\`HERMES_TEST_LIVE\`).

To prove a backend of your own, write a column (\`test/conformance/column.ts\` says what it is, \`columns/local.ts\` is one)
and name it: \`BACKENDS=./path/to/column.ts npm run conformance\`.
`;

export function conformancePage({ columns, rows }: Matrix): string {
  const cells = new Map(rows.map(row => [row.id, row.cells]));
  const parts = Object.entries(families).map(([family, group]) => {
    const lines = Object.keys(group).map(id => {
      const { text, promises = [] } = requirements.get(id) ?? { text: '' };
      return `| ${[`\`${id}\``, text.replaceAll('|', '\\|'), promises.join(' '), ...(cells.get(id) ?? [])].join(' | ')} |`;
    });
    const head = ['id', 'it …', 'promises', ...columns];
    return [
      `## ${family}`,
      '',
      `| ${head.join(' | ')} |`,
      `|${'---|'.repeat(head.length)}`,
      ...lines,
      '',
    ].join('\n');
  });
  return `${INTRODUCTION}\n${parts.join('\n')}`;
}
