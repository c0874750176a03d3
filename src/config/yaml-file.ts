// Reads `config.yaml` into leaves with their lines. It knows YAML, and which paths are settings; it judges no value.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './problem.ts';

export interface YamlLeaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly line: number;
  /** Whether the value is a mapping, that is, a whole section. */
  readonly isMapping: boolean;
}

export interface YamlFile {
  /** Of several leaves with one path the last holds: what `<<` brings in comes before the section's own. */
  readonly leaves: readonly YamlLeaf[];
  readonly problems: readonly Problem[];
}

/** One slip makes the parser stumble many times; nobody reads further than this. */
const MOST_SYNTAX_ERRORS = 10;
const MOST_ALIASES = 100;

/** `hasChildren`: whether some setting lies below this path, so that a mapping there is walked into. */
export function parseYaml(
  text: string,
  file: string,
  hasChildren: (path: readonly string[]) => boolean,
): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument<Node>(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The library's own check takes the square of their number; duplicates() does not.
    uniqueKeys: false,
  });
  const problemAt = (offset: number, message: string): Problem => ({
    where: `${file}:${Math.max(1, lines.linePos(offset).line)}`,
    message,
  });
  const problems = syntaxProblems(document, problemAt);
  if (problems.length > 0) return { leaves: [], problems };

  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return { leaves: [], problems };
  if (!isMap(root)) {
    const problem = { ...problemAt(0, 'the file is not a mapping'), accepted: 'lines such as `terminal:`' };
    return { leaves: [], problems: [problem] };
  }

  const leaves: YamlLeaf[] = [];
  const walk = (node: Node, path: readonly string[], line: number): void => {
    const target = targetOf(node, document);
    if (isMap(target) && (path.length === 0 || hasChildren(path))) {
      for (const { name, value, offset } of itemsOf(target, document)) {
        walk(value, [...path, name], Math.max(1, lines.linePos(offset).line));
      }
      return;
    }
    try {
      const value: unknown = node.toJS(document, { maxAliasCount: MOST_ALIASES });
      leaves.push({ path, value, line, isMapping: isMap(target) });
    } catch (error) {
      // How the library says that aliases would multiply without end.
      if (!(error instanceof ReferenceError)) throw error;
      problems.push({ where: `${file}:${line}`, key: path.join('.'), message: 'too many aliases' });
    }
  };
  walk(root, [], 1);
  return { leaves, problems };
}

type ProblemAt = (offset: number, message: string) => Problem;

function syntaxProblems(document: Document<Node>, problemAt: ProblemAt): Problem[] {
  const problems = document.errors.slice(0, MOST_SYNTAX_ERRORS).map(({ code, message, pos }) => {
    const text = code === 'MULTIPLE_DOCS' ? 'only one document is read' : message.replace(/\s+/g, ' ');
    return problemAt(pos[0], `not valid YAML: ${text}`);
  });
  if (problems.length > 0) return problems;
  visit(document, {
    Map(_key, map: YAMLMap<unknown, unknown>) {
      for (const key of duplicates(map)) {
        problems.push(problemAt(key.range?.[0] ?? 0, `${key.value} stands here for the second time`));
      }
    },
    Alias(_key, alias: Alias) {
      const at = alias.range?.[0] ?? 0;
      const anchored = alias.resolve(document);
      if (!anchored) problems.push(problemAt(at, `not valid YAML: *${alias.source} has no anchor before it`));
      else if (isInside(at, anchored)) problems.push(problemAt(at, `*${alias.source} stands inside itself`));
    },
  });
  return problems;
}

function duplicates(map: YAMLMap<unknown, unknown>): Scalar[] {
  const seen = new Set<unknown>();
  return map.items
    .map(({ key }) => key)
    .filter(isScalar)
    .filter(({ value }) => seen.has(value) || !seen.add(value));
}

function isInside(offset: number, { range }: Node): boolean {
  return range !== undefined && range !== null && range[0] <= offset && offset < range[2];
}

function targetOf(node: Node, document: Document<Node>): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}

interface Item {
  readonly name: string;
  readonly value: Node;
  readonly offset: number;
}

/** The items of a mapping, those that `<<` merges into it first; an item without a value is none. */
function itemsOf(map: YAMLMap<unknown, unknown>, document: Document<Node>): Item[] {
  const merged: Item[] = [];
  const own: Item[] = [];
  for (const pair of map.items) {
    // Parsed, not built by hand: a key is always a node, and a value is one or null.
    const { key, value } = pair as { key: Node; value: Node | null };
    if (value === null) continue;
    const name = String(isScalar(key) ? key.value : key);
    if (name !== '<<') own.push({ name, value, offset: key.range?.[0] ?? 0 });
    else merged.push(...mergedItems(value, document));
  }
  return [...merged, ...own];
}

/** Of several merged mappings the first is the strongest. */
function mergedItems(value: Node, document: Document<Node>): Item[] {
  const target = targetOf(value, document);
  // As above: parsed, so the elements are nodes.
  const sources = isSeq(target) ? (target.items as Node[]).toReversed() : [value];
  return sources.flatMap(source => {
    const map = targetOf(source, document);
    return isMap(map) ? itemsOf(map, document) : [];
  });
}
