// Exports have names, and TypeScript adds types only: no default export, no enum, no namespace.
import { nodesOf } from '../ast.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

const NAMED = 'is a default export; export it by name';

export function exportStyle(project: Project): Violation[] {
  return sourcesOf(project).flatMap(file => [...defaults(file), ...enums(file), ...namespaces(file)]);
}

function defaults(file: SourceFile): Violation[] {
  const specifiers = nodesOf(file.nodes, 'ExportSpecifier').filter(
    ({ exported }) => (exported.type === 'Identifier' ? exported.name : exported.value) === 'default',
  );
  return [...nodesOf(file.nodes, 'ExportDefaultDeclaration', 'TSExportAssignment'), ...specifiers].map(node =>
    violationAt('export-style', file, node, NAMED),
  );
}

function enums(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'TSEnumDeclaration').map(node =>
    violationAt('export-style', file, node, `${node.id.name} is an enum; write a union of strings`),
  );
}

/** `declare global` and `declare module 'x'` describe what others have built and are no namespaces. */
function namespaces(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'TSModuleDeclaration')
    .filter(node => node.kind === 'namespace' || (node.kind === 'module' && node.id.type !== 'Literal'))
    .map(node => violationAt('export-style', file, node, 'is a namespace; a file of its own does the same'));
}
