// Small tools over the syntax tree that oxc-parser returns: walking, finding nodes by type, reading names.
import { type Node, type Program, visitorKeys } from 'oxc-parser';

export type NodeOf<T extends Node['type'], N = Node> = N extends { type: infer U }
  ? T extends U
    ? N
    : never
  : never;

/** Every node of one file by type, in the order of the source. */
export type NodeIndex = ReadonlyMap<Node['type'], readonly Node[]>;

/** Indexes the whole tree and fills in each node's `parent`. */
export function indexNodes(program: Program): NodeIndex {
  const index = new Map<Node['type'], Node[]>();
  const visit = (node: Node, parent: Node | undefined): void => {
    if (parent) node.parent = parent;
    const same = index.get(node.type);
    if (same) same.push(node);
    else index.set(node.type, [node]);
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(program, undefined);
  return index;
}

function childrenOf(node: Node): Node[] {
  // The visitor keys are the parser's own list of the fields that hold nodes, lists of nodes, or nothing.
  const fields = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>;
  const children: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key];
    if (Array.isArray(value)) children.push(...value.filter(child => child !== null));
    else if (value) children.push(value);
  }
  return children;
}

export function nodesOf<T extends Node['type']>(index: NodeIndex, ...types: T[]): NodeOf<T>[] {
  // The index is keyed by type, so what it returns for T is of type T.
  return types.flatMap(type => (index.get(type) ?? []) as NodeOf<T>[]);
}

/** The node and everything below it; `enter` may refuse to go into a node's children. */
export function* walk(node: Node, enter: (node: Node) => boolean = () => true): Generator<Node> {
  yield node;
  if (!enter(node)) return;
  for (const child of childrenOf(node)) yield* walk(child, enter);
}

/** The text of a string literal or of a template without expressions. */
export function stringOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}

/** The name of a property: of `a.b`, `a['b']`, `{ b: 1 }` or `{ 'b': 1 }`; nothing when it is computed. */
export function propertyName(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name;
  return stringOf(key);
}

export function memberName(node: NodeOf<'MemberExpression'>): string | undefined {
  return propertyName(node.property, node.computed);
}

/** The expression without `as`, `satisfies`, `!` and optional-chain wrappers, which change no value. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return unwrap(node.expression);
    default:
      return node;
  }
}

export function isFunction(
  node: Node,
): node is NodeOf<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'> {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}
