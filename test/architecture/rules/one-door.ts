// P17: whatever anybody does in a sandbox goes through agent/door.ts. So nothing else gets a hand on one, but for what makes
// and keeps them, what the door itself lends it to, and the operator's own commands. The others give the door a deed, and
// have the sandbox for as long as its work lasts.
import { nodesOf, propertyName } from '../ast.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

const ALLOWED = [
  // What makes and keeps them.
  ...['src/backends/', 'src/sandboxes/', 'src/sessions/'],
  // The door, and what it lends the sandbox to.
  ...['agent-parts', 'deed', 'door', 'look-at-scripts', 'look-up', 'run-sandbox'].map(
    name => `src/agent/${name}.ts`,
  ),
  ...['src/tools/', 'src/execute-code/'],
  // The operator at the keyboard, the probes, which make their own, and what puts the parts together.
  ...['src/cli/', 'src/containment/', 'src/compose/', 'src/compose.ts', 'src/index.ts'],
];
/** What has or gives a hand on a sandbox. */
const HANDS = [
  'src/sandboxes/handle.ts',
  'src/sessions/session-sandboxes.ts',
  'src/sessions/lease.ts',
  'src/sessions/held.ts',
  'src/sessions/visit.ts',
  'src/sessions/open-handle.ts',
];
const TAKING = ['lease', 'handle', 'visitSandbox'];

const MESSAGE = 'takes a sandbox into its own hands; give the door a deed (src/agent/deed.ts)';

export function oneDoor(project: Project): Violation[] {
  return sourcesOf(project)
    .filter(({ path }) => path.startsWith('src/') && !ALLOWED.some(part => path.startsWith(part)))
    .flatMap(file => [...imports(file), ...calls(file)].sort((a, b) => a.line - b.line));
}

function imports(file: SourceFile): Violation[] {
  return file.imports
    .filter(({ target }) => target !== undefined && HANDS.includes(target))
    .map(({ node }) => violationAt('one-door', file, node, MESSAGE));
}

/** Of what was passed on under another type. */
function calls(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'CallExpression')
    .filter(
      ({ callee }) =>
        callee.type === 'MemberExpression' &&
        TAKING.includes(propertyName(callee.property, callee.computed) ?? ''),
    )
    .map(node => violationAt('one-door', file, node, MESSAGE));
}
