// The imports of one file: which module, in which line, and whether it is still there at run time.
import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import { type NodeIndex, nodesOf, stringOf, walk } from './ast.ts';

export interface Import {
  /** As written, such as `../base/errors.ts` or `node:fs`. */
  readonly specifier: string;
  /** The path in the project that a relative specifier means; absent for packages and Node's own modules. */
  readonly target?: string;
  /**
   * `type` is what TypeScript erases whole: `import type`, `export type … from`, `import('…').T`. A statement
   * such as `import { type A } from` still loads its module (verbatimModuleSyntax) and is a `value`.
   */
  readonly kind: 'value' | 'type' | 'dynamic';
  readonly node: Node;
}

export function importsOf(path: string, nodes: NodeIndex): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, kind: Import['kind'], node: Node): void => {
    const relative = specifier.startsWith('./') || specifier.startsWith('../');
    const target = relative ? { target: posix.join(posix.dirname(path), specifier) } : {};
    found.push({ specifier, kind, node, ...target });
  };
  for (const node of nodesOf(nodes, 'ImportDeclaration')) {
    add(node.source.value, node.importKind === 'type' ? 'type' : 'value', node);
  }
  for (const node of nodesOf(nodes, 'ExportNamedDeclaration', 'ExportAllDeclaration')) {
    if (node.source) add(node.source.value, node.exportKind === 'type' ? 'type' : 'value', node);
  }
  for (const node of nodesOf(nodes, 'TSImportType')) add(node.source.value, 'type', node);
  for (const node of nodesOf(nodes, 'ImportExpression')) {
    // A choice such as `import(a ? './x.ts' : './y.ts')` imports every string it may come to.
    for (const part of walk(node.source)) {
      const specifier = stringOf(part);
      if (specifier !== undefined) add(specifier, 'dynamic', node);
    }
  }
  return found.sort((a, b) => a.node.start - b.node.start);
}
