// Where a value comes from, as a dotted name: `process.env` is that whether it is written so, destructured,
// imported from `node:process`, or reached through `globalThis` or a local alias. What is computed at run
// time (a conditional, a value returned by a function) has no origin.
import type { Node } from 'oxc-parser';
import { memberName, type NodeIndex, nodesOf, stringOf, unwrap } from './ast.ts';
import { type Binding, bindingOf, type Scopes } from './scope.ts';

/** A place in the source that takes hold of a global or of something from a module. */
export interface Mention {
  readonly origin: string;
  readonly node: Node;
}

const MAX_ALIASES = 8;

export function originOf(scopes: Scopes, expression: Node, depth = 0): string | undefined {
  const node = unwrap(expression);
  switch (node.type) {
    case 'Identifier': {
      const binding = bindingOf(scopes, node.name, node);
      return binding ? originOfBinding(scopes, binding, depth + 1) : node.name;
    }
    case 'MemberExpression': {
      const object = originOf(scopes, node.object, depth);
      const name = memberName(node);
      return object === undefined || name === undefined ? undefined : join(object, [name]);
    }
    case 'AwaitExpression':
      return node.argument.type === 'ImportExpression' ? originOf(scopes, node.argument, depth) : undefined;
    case 'ImportExpression': {
      const specifier = stringOf(node.source);
      return specifier === undefined ? undefined : moduleOrigin(specifier);
    }
    default:
      return undefined;
  }
}

/** All mentions in a file. Types are left out: `typeof setTimeout` in a type runs nothing. */
export function mentionsOf(nodes: NodeIndex, scopes: Scopes): Mention[] {
  return [
    ...members(nodes, scopes),
    ...globals(nodes, scopes),
    ...imported(nodes),
    ...destructured(scopes),
  ].sort((a, b) => a.node.start - b.node.start);
}

function members(nodes: NodeIndex, scopes: Scopes): Mention[] {
  return nodesOf(nodes, 'MemberExpression').flatMap(node => mention(originOf(scopes, node), node));
}

function globals(nodes: NodeIndex, scopes: Scopes): Mention[] {
  return nodesOf(nodes, 'Identifier')
    .filter(node => isReference(node) && !bindingOf(scopes, node.name, node))
    .map(node => ({ origin: node.name, node }));
}

function imported(nodes: NodeIndex): Mention[] {
  const imports = nodesOf(nodes, 'ImportDeclaration').filter(node => node.importKind !== 'type');
  const exports = nodesOf(nodes, 'ExportNamedDeclaration').filter(node => node.exportKind !== 'type');
  return [...imports, ...exports].flatMap(statement => {
    const module = statement.source && moduleOrigin(statement.source.value);
    if (!module) return [];
    return statement.specifiers.flatMap(specifier => {
      if (specifier.type === 'ImportSpecifier' && specifier.importKind !== 'type') {
        return mention(join(module, [nameOf(specifier.imported)]), specifier);
      }
      return specifier.type === 'ExportSpecifier'
        ? mention(join(module, [nameOf(specifier.local)]), specifier)
        : [];
    });
  });
}

function destructured(scopes: Scopes): Mention[] {
  return [...scopes.values()]
    .flatMap(scope => [...scope.values()])
    .flatMap(({ from, keys, node }) => {
      const source = from && keys.length > 0 ? originOf(scopes, from) : undefined;
      if (source === undefined) return [];
      return keys.map((_, index) => ({ origin: join(source, keys.slice(0, index + 1)), node }));
    });
}

function originOfBinding(scopes: Scopes, binding: Binding, depth: number): string | undefined {
  if (depth > MAX_ALIASES) return undefined;
  if (binding.imported) {
    const module = moduleOrigin(binding.imported.module);
    const { name } = binding.imported;
    return module === undefined ? undefined : join(module, name === undefined ? [] : [name]);
  }
  const source = binding.from && originOf(scopes, binding.from, depth);
  return source === undefined ? undefined : join(source, binding.keys);
}

function moduleOrigin(specifier: string): string | undefined {
  return specifier.startsWith('.') ? undefined : specifier.replace(/^node:/, '');
}

function join(object: string, names: readonly string[]): string {
  const global = object === 'globalThis' || object === 'global';
  return (global && names.length > 0 ? names : [object, ...names]).join('.');
}

function mention(origin: string | undefined, node: Node): Mention[] {
  return origin === undefined ? [] : [{ origin, node }];
}

function nameOf(node: Node): string {
  return node.type === 'Identifier' ? node.name : (stringOf(node) ?? '');
}

/** Whether an identifier stands for a value, and is not the name of a property, a label or a type. */
function isReference(node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  if ('key' in parent && parent.key === node && !('computed' in parent && parent.computed)) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (/^(Import|Export).*Specifier$|^(Break|Continue|Labeled)Statement$|^MetaProperty$/.test(parent.type)) {
    return false;
  }
  return !parent.type.startsWith('TS') || unwrap(parent) !== parent;
}
