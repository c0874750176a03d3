// Importing a module of `src/` does nothing: its top level declares, and runs only what computes a constant.
// A call in an initialiser is taken for a computation unless it is one of the effects named below; what a
// called function of ours does inside is not followed.
import type { Node } from 'oxc-parser';
import { isFunction, walk } from '../ast.ts';
import { originOf } from '../origin.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

/** Globals and modules of Node whose functions reach outside the module that calls them. */
const EFFECTFUL = [
  ...['process', 'console', 'fetch', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout'],
  ...['child_process', 'cluster', 'dgram', 'dns', 'dns/promises', 'fs', 'fs/promises', 'http', 'http2'],
  ...['https', 'inspector', 'net', 'readline', 'readline/promises', 'repl', 'sqlite', 'timers'],
  ...['timers/promises', 'tls', 'worker_threads'],
];

export function importEffects(project: Project): Violation[] {
  return sourcesOf(project).flatMap(file =>
    file.program.body.flatMap(statement =>
      effectsOf(file, statement).map(({ node, what }) =>
        violationAt(
          'import-effects',
          file,
          node,
          `${what} when the file is imported; move it into a function that the caller runs`,
        ),
      ),
    ),
  );
}

interface Effect {
  readonly node: Node;
  readonly what: string;
}

function effectsOf(file: SourceFile, statement: Node): Effect[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.length === 0
        ? [{ node: statement, what: `loads ${statement.source.value} for its effects` }]
        : [];
    case 'ExportNamedDeclaration':
      return statement.declaration ? effectsOf(file, statement.declaration) : [];
    case 'VariableDeclaration':
    case 'ClassDeclaration':
    case 'ExportDefaultDeclaration':
      return [...walk(statement, runsOnImport)].flatMap(node => effectOf(file, node));
    case 'ExportAllDeclaration':
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return [];
    default:
      return statement.type.startsWith('TS') ? [] : [{ node: statement, what: 'runs a statement' }];
  }
}

/** Whether what stands inside a node runs with it; the body of a function does only if it is called there. */
function runsOnImport(node: Node): boolean {
  if (isFunction(node)) return node.parent?.type === 'CallExpression' && node.parent.callee === node;
  return node.type !== 'PropertyDefinition' || node.static;
}

function effectOf(file: SourceFile, node: Node): Effect[] {
  switch (node.type) {
    case 'AwaitExpression':
      return [{ node, what: 'waits' }];
    case 'VariableDeclaration':
      return node.kind.endsWith('using') ? [{ node, what: 'opens a resource' }] : [];
    case 'AssignmentExpression':
    case 'UpdateExpression':
      return [{ node, what: 'assigns' }];
    case 'StaticBlock':
      return [{ node, what: 'runs a static block' }];
    case 'ImportExpression':
      return [{ node, what: 'loads a module' }];
    case 'CallExpression':
    case 'NewExpression': {
      const origin = originOf(file.scopes, node.callee);
      const isEffect = origin !== undefined && EFFECTFUL.includes(origin.split('.')[0] ?? '');
      return isEffect ? [{ node, what: `calls ${origin}` }] : [];
    }
    default:
      return [];
  }
}
