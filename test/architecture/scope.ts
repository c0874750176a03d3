// Which declaration a name means at a place in a file, so that a local variable called `process` is not
// taken for the global one. `var` is treated like `let`: the project has none.
import type { Node } from 'oxc-parser';
import { type NodeIndex, propertyName } from './ast.ts';

export interface Binding {
  readonly name: string;
  readonly node: Node;
  /** For an imported name: the module, and the name there (absent for a default or namespace import). */
  readonly imported?: { readonly module: string; readonly name?: string };
  /** The initialiser or default, when there is one, and the properties that destructuring took from it. */
  readonly from?: Node;
  readonly keys: readonly string[];
}

export type Scope = ReadonlyMap<string, Binding>;
export type Scopes = ReadonlyMap<Node, Scope>;

/** Every scope of a file with the names declared directly in it. */
export function scopesOf(nodes: NodeIndex): Scopes {
  const scopes = new Map<Node, Scope>();
  for (const node of [...nodes.values()].flat()) {
    const bindings = declaredIn(node);
    if (bindings.length > 0) scopes.set(node, new Map(bindings.map(binding => [binding.name, binding])));
  }
  return scopes;
}

/** The declaration that `name` means at `node`; nothing for a global. */
export function bindingOf(scopes: Scopes, name: string, node: Node): Binding | undefined {
  for (let at: Node | null | undefined = node; at; at = at.parent) {
    const binding = scopes.get(at)?.get(name);
    if (binding) return binding;
  }
  return undefined;
}

function declaredIn(node: Node): Binding[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
      return node.body.flatMap(declaredBy);
    case 'SwitchStatement':
      return node.cases.flatMap(each => each.consequent).flatMap(declaredBy);
    case 'ForStatement':
      return node.init ? declaredBy(node.init) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return declaredBy(node.left);
    case 'CatchClause':
      return node.param ? inPattern(node.param) : [];
    case 'ClassExpression':
      return node.id ? inPattern(node.id) : [];
    case 'FunctionExpression':
      return [...(node.id ? inPattern(node.id) : []), ...node.params.flatMap(param => inPattern(param))];
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
      return node.params.flatMap(param => inPattern(param));
    default:
      return [];
  }
}

function declaredBy(statement: Node): Binding[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.map(specifier => {
        const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined;
        const name = imported?.type === 'Identifier' ? imported.name : imported?.value;
        const origin = name === undefined || name === 'default' ? {} : { name };
        const { local } = specifier;
        return {
          name: local.name,
          node: local,
          imported: { module: statement.source.value, ...origin },
          keys: [],
        };
      });
    case 'VariableDeclaration':
      return statement.declarations.flatMap(each => inPattern(each.id, each.init ?? undefined));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return statement.id ? inPattern(statement.id) : [];
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return statement.declaration ? declaredBy(statement.declaration) : [];
    default:
      return [];
  }
}

/** The names that a pattern declares, each with the way from the initialiser to it. */
function inPattern(pattern: Node, from?: Node, keys: readonly string[] = []): Binding[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: pattern.name, node: pattern, keys, ...(from ? { from } : {}) }];
    case 'AssignmentPattern':
      return from ? inPattern(pattern.left, from, keys) : inPattern(pattern.left, pattern.right);
    case 'RestElement':
      return inPattern(pattern.argument, from, keys);
    case 'ArrayPattern':
      return pattern.elements.flatMap(element => (element ? inPattern(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap(property => {
        if (property.type === 'RestElement') return inPattern(property, from, keys);
        const key = propertyName(property.key, property.computed);
        return key === undefined
          ? inPattern(property.value)
          : inPattern(property.value, from, [...keys, key]);
      });
    default:
      return [];
  }
}
