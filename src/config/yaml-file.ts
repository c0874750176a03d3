// Reads `config.yaml` into leaves with their lines. It knows YAML, and which paths are settings; it judges no value.
import { isMap, isScalar, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import type { Problem } from './problem.ts';

export interface YamlLeaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly line: number;
  /** Whether the value is a mapping, that is, a whole section. */
  readonly isMapping: boolean;
}

export interface YamlFile {
  readonly leaves: readonly YamlLeaf[];
  readonly problems: readonly Problem[];
}

/** `hasChildren`: whether some setting lies below this path, so that a mapping there is walked into. */
export function parseYaml(
  text: string,
  file: string,
  hasChildren: (path: readonly string[]) => boolean,
): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const problems: Problem[] = document.errors.map(error => ({
    where: `${file}:${lineOf(error.pos[0])}`,
    message: `not valid YAML: ${error.message.replace(/\s+/g, ' ')}`,
  }));
  if (problems.length > 0) return { leaves: [], problems };

  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return { leaves: [], problems };
  if (!isMap(root)) {
    const problem = {
      where: `${file}:1`,
      message: 'the file is not a mapping',
      accepted: 'lines such as `terminal:`',
    };
    return { leaves: [], problems: [problem] };
  }

  const leaves: YamlLeaf[] = [];
  const walk = (node: Node, path: readonly string[], line: number): void => {
    if (isMap<ParsedNode, ParsedNode>(node) && (path.length === 0 || hasChildren(path))) {
      for (const { key, value } of node.items) {
        const name = String(isScalar(key) ? key.value : key);
        const at = lineOf(key.range[0]);
        if (value === null) continue;
        walk(value, [...path, name], at);
      }
      return;
    }
    const value: unknown = node.toJS(document, { maxAliasCount: 100 });
    leaves.push({ path, value, line, isMapping: isMap(node) });
  };
  walk(root, [], 1);
  return { leaves, problems };
}
