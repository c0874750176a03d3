// No module-level mutable state: two gateways in one process share nothing. Forbidden at the top level are
// `let`, `var`, weak collections (which only make sense when filled later), static fields that are not
// readonly, collections exported for anyone to change, and constants that the same file changes.
import type { Node } from 'oxc-parser';
import { memberName, type NodeOf, nodesOf, unwrap } from '../ast.ts';
import { originOf } from '../origin.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';
import { type Binding, bindingOf } from '../scope.ts';

const MUTATORS = [
  ...['add', 'clear', 'copyWithin', 'delete', 'fill', 'pop', 'push'],
  ...['reverse', 'set', 'shift', 'sort', 'splice', 'unshift'],
];
const COLLECTIONS = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'];
const ADVICE = 'make it part of what a function returns, and pass it on';

export function moduleState(project: Project): Violation[] {
  return sourcesOf(project).flatMap(file =>
    [...variables(file), ...staticFields(file), ...changes(file)].sort((a, b) => a.line - b.line),
  );
}

function variables(file: SourceFile): Violation[] {
  return file.program.body.flatMap(statement => {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = isExported ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.declare) return [];
    if (declaration.kind === 'let' || declaration.kind === 'var') {
      const message = `\`${declaration.kind}\` at the top level is state of the module; ${ADVICE}`;
      return [violationAt('module-state', file, declaration, message)];
    }
    return declaration.declarations.flatMap(each => openCollection(file, each, isExported));
  });
}

function openCollection(
  file: SourceFile,
  node: NodeOf<'VariableDeclarator'>,
  isExported: boolean,
): Violation[] {
  const made = collectionIn(node.init);
  if (made?.startsWith('Weak')) {
    return [
      violationAt('module-state', file, node, `a ${made} at the top level is state of the module; ${ADVICE}`),
    ];
  }
  if (!isExported || (made !== 'Map' && made !== 'Set') || isReadonly(node)) return [];
  return [
    violationAt(
      'module-state',
      file,
      node,
      `an exported ${made} can be changed by every importer; type it Readonly${made}`,
    ),
  ];
}

function staticFields(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'PropertyDefinition')
    .filter(node => node.static && !node.readonly)
    .map(node =>
      violationAt(
        'module-state',
        file,
        node,
        `a static field is state of the module; make it readonly, or ${ADVICE}`,
      ),
    );
}

/** The first change of each constant that is declared at the top level. */
function changes(file: SourceFile): Violation[] {
  const changed = new Map<Binding, Node>();
  for (const { target, node, needsCollection } of mutationsIn(file)) {
    const root = rootOf(target);
    const binding = root && bindingOf(file.scopes, root.name, root);
    if (!binding || binding.imported || changed.has(binding)) continue;
    if (file.scopes.get(file.program)?.get(binding.name) !== binding) continue;
    if (!needsCollection || collectionIn(binding.from)) changed.set(binding, node);
  }
  return [...changed].map(([{ name }, node]) =>
    violationAt('module-state', file, node, `changes ${name}, which is declared at the top level; ${ADVICE}`),
  );
}

interface Mutation {
  readonly target: Node;
  readonly node: Node;
  /** A method called `set` or `add` changes something only when it belongs to a collection. */
  readonly needsCollection: boolean;
}

function mutationsIn(file: SourceFile): Mutation[] {
  const written = [
    ...nodesOf(file.nodes, 'AssignmentExpression').map(node => ({ target: node.left, node })),
    ...nodesOf(file.nodes, 'UpdateExpression').map(node => ({ target: node.argument, node })),
    ...nodesOf(file.nodes, 'UnaryExpression')
      .filter(({ operator }) => operator === 'delete')
      .map(node => ({ target: node.argument, node })),
  ].filter(({ target }) => unwrap(target).type === 'MemberExpression');
  const called = nodesOf(file.nodes, 'CallExpression').flatMap((node): Mutation[] => {
    const callee = unwrap(node.callee);
    if (callee.type !== 'MemberExpression') return [];
    const origin = originOf(file.scopes, callee);
    const [first] = node.arguments;
    if (origin === 'Object.assign' || origin === 'Object.defineProperty') {
      return first ? [{ target: first, node, needsCollection: false }] : [];
    }
    const isMutator = MUTATORS.includes(memberName(callee) ?? '');
    return isMutator ? [{ target: callee.object, node, needsCollection: true }] : [];
  });
  return [...written.map(each => ({ ...each, needsCollection: false })), ...called].sort(
    (a, b) => a.node.start - b.node.start,
  );
}

/** `state` of `state`, `state.list` and `state.list[0]`. */
function rootOf(expression: Node): NodeOf<'Identifier'> | undefined {
  const node = unwrap(expression);
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'Identifier' ? node : undefined;
}

/** What kind of collection an initialiser makes; nothing when it makes none. */
function collectionIn(init: Node | null | undefined): string | undefined {
  const node = init ? unwrap(init) : undefined;
  if (node?.type === 'ArrayExpression') return 'Array';
  if (node?.type === 'ObjectExpression') return 'Object';
  if (node?.type !== 'NewExpression' || node.callee.type !== 'Identifier') return undefined;
  return COLLECTIONS.find(name => node.callee.type === 'Identifier' && node.callee.name === name);
}

function isReadonly({ id, init }: NodeOf<'VariableDeclarator'>): boolean {
  const annotation = id.type === 'Identifier' ? id.typeAnnotation?.typeAnnotation : undefined;
  const type = annotation ?? (init?.type === 'TSAsExpression' ? init.typeAnnotation : undefined);
  return (
    type?.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    /^Readonly/.test(type.typeName.name)
  );
}
