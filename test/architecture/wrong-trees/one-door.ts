// Wrong trees for the rule that only the door has a hand on sandboxes.
import { oneFile, type WrongTree } from './wrong-tree.ts';

export const oneDoorTrees: readonly WrongTree[] = [
  oneFile('one-door', 'every way to a sandbox', {
    text: [
      "import type { SandboxHandle } from '../sandboxes/handle.ts';",
      "import { visitSandbox } from '../sessions/visit.ts';",
      'const lease = await parts.sandboxes.lease(session, request);',
      'const handle = serving.sandboxes.life.handle(id);',
      "const lazy = () => import('../sessions/session-sandboxes.ts');",
    ],
    wrong: [1, 2, 3, 4, 5],
  }),
  {
    rule: 'one-door',
    title: 'a part that nobody has thought of, and others beside the door',
    files: {
      'src/schedules/a.ts': ["import type { SandboxHandle } from '../sandboxes/handle.ts';"],
      'src/agent/a.ts': ['const lease = await sandboxes.lease(session, request);'],
    },
    expected: ['src/agent/a.ts:1', 'src/schedules/a.ts:1'],
  },
  {
    rule: 'one-door',
    title: 'deeds, what the door gives them, and the parts below',
    files: {
      'src/gateway/a.ts': [
        "import type { Deed } from '../agent/deed.ts';",
        'const deed: Deed<string> = { work: ({ handle }) => handle.listFiles(".") };',
        'await live()?.hold();',
      ],
      'src/agent/run-sandbox.ts': ['const lease = await sandboxes.lease(session, request);'],
      'src/cli/commands/a.ts': ["import { visitSandbox } from '../../sessions/visit.ts';"],
    },
    expected: [],
  },
];
