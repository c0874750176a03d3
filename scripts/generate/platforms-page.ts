// docs/platforms/README.md: the platforms, what each can do, and the matrix of a whole run of their suite.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformCapabilities } from '../../src/platforms/platform.ts';
import type { Matrix } from '../../test/conformance/matrix.ts';
import type { Column } from '../../test/conformance-platforms/column.ts';
import { families, requirementOf } from '../../test/conformance-platforms/requirements.ts';

export const PLATFORMS_PAGE = 'docs/platforms/README.md';

const INTRODUCTION = `# Platforms

Where people talk to the agent. Written by \`npm run conformance -- platforms --write\` after a run of every column; do not
edit.
`;

const PROOF = `## What each is proved to do

Each row is a requirement of \`test/conformance-platforms/requirements.ts\`, proved by the tests that cite its id, with the
real adapter against the other side of the chat. \`n/a\`: the platform does not have what the requirement needs. Platforms that
are broken on purpose prove that the tests notice.

Telegram, Discord, Slack, WhatsApp and Signal are tested against a protocol double, never against the service: the real
client library talks to a server on loopback that follows the vendor's documents. With credentials of yours,
\`HERMES_TEST_LIVE=telegram,slack\` also runs a check against the services named.

[Add a platform](add-a-platform.md) shows a whole one. To prove it, write a column
(\`test/conformance-platforms/column.ts\` says what it is, \`columns/telegram.ts\` is one) and list it in \`columns.ts\`.
`;

const MIB = 1024 * 1024;
const yes = (value: boolean): string => (value ? 'yes' : 'no');
const size = (bytes: number): string => (bytes === 0 ? 'none' : `${bytes / MIB} MB`);

const ROWS: readonly (readonly [string, (capabilities: PlatformCapabilities) => string])[] = [
  ['characters of a message', ({ maxText }) => String(maxText)],
  [
    'answers grow while they are written',
    ({ edits, editEveryMs }) => (edits ? `every ${editEveryMs / 1000} s` : 'no'),
  ],
  ['buttons', ({ buttons }) => yes(buttons)],
  ['typing sign', ({ typing }) => yes(typing)],
  ['groups', ({ groups }) => yes(groups)],
  ['threads', ({ threads }) => yes(threads)],
  ['largest file from people', ({ maxFileIn }) => size(maxFileIn)],
  ['largest file to people', ({ maxFileOut }) => size(maxFileOut)],
  ['strangers can find it', ({ isPublic }) => yes(isPublic)],
];

export function platformsPage(root: string, columns: readonly Column[], matrix: Matrix): string {
  const pages = [...new Set(columns.map(({ name }) => name.split('-')[0] ?? name))].filter(name =>
    existsSync(join(root, 'docs/platforms', `${name}.md`)),
  );
  const capabilities = ROWS.map(([title, show]) =>
    row([title, ...columns.map(each => show(each.capabilities))]),
  );
  return [
    INTRODUCTION,
    ...pages.map(name => `- [${name}](${name}.md)`),
    '',
    ...table(['', ...columns.map(({ name }) => name)], capabilities),
    PROOF,
    ...proofs(matrix),
  ].join('\n');
}

function proofs({ columns, rows }: Matrix): string[] {
  const cells = new Map(rows.map(each => [each.id, each.cells]));
  return Object.entries(families).flatMap(([family, group]) => [
    `### ${family}`,
    '',
    ...table(
      ['id', 'it …', 'promises', ...columns],
      Object.keys(group).map(id => {
        const { text, promises = [] } = requirementOf(id);
        return row([`\`${id}\``, text.replaceAll('|', '\\|'), promises.join(' '), ...(cells.get(id) ?? [])]);
      }),
    ),
  ]);
}

function table(head: readonly string[], rows: readonly string[]): string[] {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows, ''];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
