// Wrong trees for the rules about what imports what: syntax, layers and cycles.
import { oneFile, type WrongTree } from './wrong-tree.ts';

const LADDER = [
  ['base'],
  ['backends', 'platforms', 'providers'],
  ['sandboxes', 'store', 'config'],
  ['tools', 'execute-code', 'approvals', 'risk'],
  ['agent'],
  ['gateway'],
  ['cli', 'dashboard'],
];

export const importTrees: readonly WrongTree[] = [
  oneFile('syntax', 'a file that does not parse', { text: ['const a = 1;', 'const = ;'], wrong: [2] }),
  oneFile('syntax', 'TypeScript and modern JavaScript', {
    text: [
      'using a = open();',
      'const b = a as const satisfies unknown;',
      'label: for await (const c of d) {}',
    ],
    wrong: [],
  }),
  {
    rule: 'layers',
    title: 'upward imports of every form',
    files: {
      'src/base/a.ts': [
        "import { x } from '../gateway/a.ts';",
        "import type { X } from '../gateway/a.ts';",
        "export * from '../backends/backend.ts';",
        "export type { Y } from '../agent/a.ts';",
        "const lazy = () => import('../store/a.ts');",
        "const choice = (b: unknown) => import(b ? '../cli/main.ts' : './b.ts');",
        "type Z = import('../tools/tool.ts').Z;",
      ],
      'src/gateway/a.ts': '',
    },
    expected: [1, 2, 3, 4, 5, 6, 7].map(line => `src/base/a.ts:${line}`),
  },
  {
    rule: 'layers',
    title: 'each part importing the layer above it',
    files: Object.fromEntries(
      LADDER.flatMap((parts, layer) =>
        parts.map(part => [
          `src/${part}/a.ts`,
          `import { a } from '../${LADDER[layer + 1]?.[0] ?? part}/a.ts';`,
        ]),
      ),
    ),
    expected: LADDER.slice(0, -1)
      .flat()
      .map(part => `src/${part}/a.ts:1`)
      .sort(),
  },
  {
    rule: 'layers',
    title: 'each part importing the layer below it, and each contract from a sibling',
    files: {
      ...Object.fromEntries(
        LADDER.flatMap((parts, layer) =>
          parts.map(part => [
            `src/${part}/a.ts`,
            `import { a } from '../${LADDER[layer - 1]?.[0] ?? part}/a.ts';`,
          ]),
        ),
      ),
      'src/approvals/b.ts': "import { a } from '../tools/tool.ts';",
      'src/backends/b.ts': "import { a } from '../platforms/platform.ts';",
      'src/platforms/b.ts': "import { a } from '../providers/provider.ts';",
      'src/providers/b.ts': "import { a } from '../backends/backend.ts';",
    },
    expected: [],
  },
  {
    rule: 'layers',
    title: 'drivers that import each other',
    files: {
      'src/backends/docker/index.ts': [
        "import { a } from '../ssh/a.ts';",
        "import { b } from '../backend.ts';",
      ],
      'src/platforms/signal/index.ts': ["import { a } from '../slack/index.ts';"],
      'src/platforms/slack/index.ts': ["import { a } from '../../backends/docker/index.ts';"],
      'src/providers/openai/index.ts': ["import { a } from '../anthropic/render.ts';"],
    },
    expected: [
      'src/backends/docker/index.ts:1',
      'src/platforms/signal/index.ts:1',
      'src/platforms/slack/index.ts:1',
      'src/providers/openai/index.ts:1',
    ],
  },
  {
    rule: 'layers',
    title: 'siblings that meet without a contract',
    files: {
      'src/cli/a.ts': ["import { a } from '../dashboard/a.ts';"],
      'src/dashboard/a.ts': ["import { a } from '../cli/print.ts';"],
      'src/execute-code/a.ts': ["import { a } from '../tools/registry.ts';"],
      'src/index.ts': ["export { main } from './cli/main.ts';"],
      'src/store/a.ts': ["import { a } from '../sandboxes/backend.ts';"],
    },
    expected: [
      'src/cli/a.ts:1',
      'src/dashboard/a.ts:1',
      'src/execute-code/a.ts:1',
      'src/index.ts:1',
      'src/store/a.ts:1',
    ],
  },
  {
    rule: 'layers',
    title: 'parts that stand in no layer',
    files: { 'src/plugins/a.ts': '// new', 'src/loose.ts': '// new' },
    expected: ['src/loose.ts:1', 'src/plugins/a.ts:1'],
  },
  {
    rule: 'layers',
    title: 'compose.ts, tests and scripts as dependencies, and a second way in',
    files: {
      'bin/hermes.js': ["await import('../src/gateway/a.ts');"],
      'src/agent/a.ts': [
        "import { b } from './b.test.ts';",
        "import { c } from '../../test/c.ts';",
        "import { d } from '../../scripts/d.ts';",
      ],
      'src/gateway/a.ts': [
        "import { compose } from '../compose.ts';",
        "import { openAgent } from '../compose/agent.ts';",
      ],
    },
    expected: [
      'bin/hermes.js:1',
      'src/agent/a.ts:1',
      'src/agent/a.ts:2',
      'src/agent/a.ts:3',
      'src/gateway/a.ts:1',
      'src/gateway/a.ts:2',
    ],
  },
  {
    rule: 'layers',
    title: 'what is allowed',
    files: {
      'bin/hermes.js': ["await import(a ? '../src/cli/main.ts' : '../dist/cli/main.js');"],
      'bench/main.ts': ["import { a } from '../src/agent/a.ts';"],
      'src/agent/a.test.ts': ["import { a } from '../gateway/a.ts';"],
      'src/backends/docker/parse/a.ts': [
        "import { a } from '../index.ts';",
        "import { b } from '../../backend.ts';",
      ],
      'src/backends/index.ts': ["import { docker } from './docker/index.ts';"],
      'src/cli/main.ts': [
        "import { compose } from '../compose.ts';",
        "import info from '../../package.json';",
      ],
      'src/compose.ts': ["import { a } from './gateway/a.ts';", "import { b } from './cli/b.ts';"],
      'src/compose/agent.ts': ["import { a } from '../gateway/a.ts';"],
      'src/dashboard/a.ts': ["import { list } from '../cli/commands/sandbox/list.ts';"],
      'src/index.ts': ["export { compose } from './compose.ts';", "import { z } from 'zod';"],
      'src/platforms/console/a.ts': ["import type { Backend } from '../../backends/backend.ts';"],
      'src/risk/a.ts': ["import type { Tool } from '../tools/tool.ts';", "import { d } from '../base/d.ts';"],
    },
    expected: [],
  },
  {
    rule: 'cycles',
    title: 'two files, three files, a file alone, and a cycle through `import { type }`',
    files: {
      'src/base/a.ts': ['// a', "import { b } from './b.ts';"],
      'src/base/b.ts': ["export * from './a.ts';"],
      'src/base/c.ts': ["import { x } from './b.ts';", "import { d } from './d.ts';"],
      'src/base/d.ts': ["import { e } from './e.ts';"],
      'src/base/e.ts': ["import { type C } from './c.ts';"],
      'src/base/f.ts': ["import { f } from './f.ts';"],
    },
    expected: ['src/base/a.ts:2', 'src/base/c.ts:2', 'src/base/f.ts:1'],
  },
  {
    rule: 'cycles',
    title: 'what is erased, loaded later, or only shared',
    files: {
      'src/base/a.ts': ["import { b } from './b.ts';", "import { c } from './c.ts';"],
      'src/base/b.ts': ["import type { A } from './a.ts';", "import { c } from './c.ts';"],
      'src/base/c.ts': ["const a = () => import('./a.ts');", "type B = import('./b.ts').B;"],
      'src/base/a.test.ts': ["import { a } from './a.ts';", "import { t } from './a.test.ts';"],
    },
    expected: [],
  },
];
