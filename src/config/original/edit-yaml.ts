// Changes single values in the text of a config.yaml and nothing else: comments, brackets, quotes and long numbers stay as
// they are written, because only the characters of the value are replaced.
import { isMap, isScalar, type Node, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';

/** The text with a change, or undefined where what is to be changed is not written out there. */
export type Edited = string | undefined;

export function setYaml(text: string, path: readonly string[], value: unknown): Edited {
  const found = pairAt(text, path)?.value;
  if (!found?.range) return insertYaml(text, path, value);
  const { range } = found;
  if (isScalar(found) && found.value === value) return text;
  return splice(text, range[0], range[1], inline(value));
}

export function renameYaml(text: string, path: readonly string[], name: string): Edited {
  const range = pairAt(text, path)?.key.range;
  return range ? splice(text, range[0], range[1], name) : undefined;
}

/** Removes a value that stands on lines of its own. */
export function removeYaml(text: string, path: readonly string[]): Edited {
  const pair = pairAt(text, path);
  const [start, end] = [pair?.key.range?.[0], pair?.value?.range?.[1]];
  if (start === undefined || end === undefined) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(from, start).trim() !== '') return undefined;
  const to = text.indexOf('\n', end);
  return splice(text, from, to === -1 ? text.length : to + 1, '');
}

/** Adds a value to its section, which is made where there is none. */
export function insertYaml(text: string, path: readonly string[], value: unknown): Edited {
  const name = path.at(-1) ?? '';
  const above = path.slice(0, -1);
  const line = `${name}: ${inline(value)}`;
  if (above.length === 0) return `${withBreak(text)}${line}\n`;
  if (above.length > 1) return undefined;
  const section = pairAt(text, above);
  if (!section) return `${withBreak(text)}${above[0]}:\n  ${line}\n`;
  const start = section.key.range?.[0] ?? 0;
  if (isMap(section.value)) return intoMap(text, section.value, line);
  if (section.value !== null && !(isScalar(section.value) && section.value.value === null)) return undefined;
  const end = text.indexOf('\n', start);
  return end === -1 ? `${text}\n  ${line}\n` : splice(text, end + 1, end + 1, `  ${line}\n`);
}

/** Makes a section of a value that stands alone, such as `model: some/name`. */
export function sectionYaml(text: string, name: string, values: Readonly<Record<string, unknown>>): Edited {
  const pair = pairAt(text, [name]);
  const [start, end] = [pair?.key.range?.[1], pair?.value?.range?.[1]];
  if (start === undefined || end === undefined) return undefined;
  const lines = Object.entries(values).map(([key, value]) => `\n  ${key}: ${inline(value)}`);
  return splice(text, start, end, `:${lines.join('')}`);
}

interface FoundPair {
  readonly key: Node;
  readonly value: Node | null;
}

function pairAt(text: string, path: readonly string[]): FoundPair | undefined {
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length > 0) return undefined;
  let map: unknown = document.contents;
  let found: FoundPair | undefined;
  for (const part of path) {
    if (!isMap(map)) return undefined;
    const pair = (map as YAMLMap).items.find(({ key }) => isScalar(key) && String(key.value) === part);
    if (!pair) return undefined;
    found = pair as Pair as unknown as FoundPair; // parsed, so that both are nodes
    map = found.value;
  }
  return found;
}

function intoMap(text: string, map: YAMLMap, line: string): Edited {
  const start = map.range?.[0];
  if (start === undefined) return undefined;
  if (map.flow) {
    const isEmpty = map.items.length === 0;
    return splice(text, start + 1, start + 1, isEmpty ? line : ` ${line},`);
  }
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(from, start);
  return indent.trim() === '' ? splice(text, from, from, `${indent}${line}\n`) : undefined;
}

/** On one line, so that it fits wherever a value stands. */
function inline(value: unknown): string {
  if (Array.isArray(value) || (typeof value === 'object' && value !== null)) return JSON.stringify(value);
  return stringify(value, { lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

function withBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
