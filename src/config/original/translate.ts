// Reads what the original's users have written as if it were ours: keys under another name, values in another form. Pure;
// what cannot be read so is named, and what restricted somebody there and does not here is warned about.
import type { YamlLeaf } from '../yaml-file.ts';
import { type Fact, isGiven, UNSET } from './fact.ts';
import { factOfKey, factOfVariable, keyFacts } from './facts.ts';
import { readModel } from './model.ts';

/** One value that was read under another name or in another form. */
export interface Translation {
  readonly from: string;
  readonly to: string;
  /** Undefined = the setting stays unset. */
  readonly value: unknown;
  readonly line: number;
}

export interface Reading {
  /** What is left to be judged, as ours. */
  readonly leaves: readonly YamlLeaf[];
  readonly translations: readonly Translation[];
  /** Keys of parts that are not here. */
  readonly ignored: readonly string[];
  /** Written, and without effect; each with what to do. */
  readonly notes: readonly Remark[];
  /** Kept somebody from something there, and does not here. */
  readonly warnings: readonly Remark[];
}

export interface Remark {
  readonly name: string;
  readonly line: number | undefined;
  readonly text: string;
}

interface Draft {
  readonly leaves: YamlLeaf[];
  readonly translations: Translation[];
  readonly ignored: string[];
  readonly notes: Remark[];
  readonly warnings: Remark[];
}

export function readOriginal(leaves: readonly YamlLeaf[], isSetting: (key: string) => boolean): Reading {
  const draft: Draft = { leaves: [], translations: [], ignored: [], notes: [], warnings: [] };
  const written = new Set(leaves.filter(({ value }) => isGiven(value)).map(({ path }) => path.join('.')));
  for (const leaf of takeModel(leaves, draft)) readLeaf(leaf, { draft, isSetting, written });
  return draft;
}

interface LeafContext {
  readonly draft: Draft;
  readonly isSetting: (key: string) => boolean;
  /** Keys that have a value of their own, which is stronger than a translated one. */
  readonly written: ReadonlySet<string>;
}

function readLeaf(leaf: YamlLeaf, context: LeafContext): void {
  const { draft, isSetting } = context;
  const key = leaf.path.join('.');
  // A key with a dot in it is a mistake of its own.
  const fact = leaf.path.some(part => part.includes('.')) ? undefined : factOfKey(leaf.path);
  if (isSetting(key)) {
    readOwn(leaf, fact, draft);
    return;
  }
  if (fact === undefined || (fact.fate === 'same' && fact.to === undefined)) {
    draft.leaves.push(leaf);
    return;
  }
  if (fact.fate === 'foreign') draft.ignored.push(key);
  else if (fact.name === key) readFact(fact, leaf, leaf.value, context);
  for (const below of factsBelow(key)) {
    const value = valueAt(leaf.value, below.name.slice(key.length + 1).split('.'));
    if (value !== undefined) readFact(below, leaf, value, context);
  }
}

/** A setting of ours whose values were written in another way. */
function readOwn(leaf: YamlLeaf, fact: Fact | undefined, { leaves, translations }: Draft): void {
  const key = leaf.path.join('.');
  if (fact?.value === undefined || fact.to !== key || !isWritten(leaf.value)) {
    leaves.push(leaf);
    return;
  }
  const value = fact.value(leaf.value);
  if (value !== UNSET) leaves.push({ ...leaf, value });
  if (fact.fate === 'translated' && value !== leaf.value)
    translations.push({ from: key, to: key, value: value === UNSET ? undefined : value, line: leaf.line });
}

function readFact(fact: Fact, leaf: YamlLeaf, raw: unknown, { draft, written }: LeafContext): void {
  const { name, to, why } = fact;
  const remark: Remark = { name, line: leaf.line, text: why };
  if (to !== undefined) {
    const value = fact.value ? fact.value(raw) : raw;
    if (value === undefined || !isWritten(value)) {
      if (isGiven(raw)) draft.notes.push(remark);
      return;
    }
    if (written.has(to)) return;
    draft.leaves.push({ path: to.split('.'), value, line: leaf.line, isMapping: false });
    draft.translations.push({ from: name, to, value, line: leaf.line });
  } else if (fact.restricts) {
    if (fact.restricts(raw)) draft.warnings.push(remark);
  } else if (isGiven(raw) && !(fact.usual ?? []).includes(raw)) draft.notes.push(remark);
}

function isWritten(value: unknown): boolean {
  return value !== null && value !== '';
}

/** The section `model`, as ours; returns the leaves that are left. */
function takeModel(leaves: readonly YamlLeaf[], draft: Draft): readonly YamlLeaf[] {
  const isModel = ({ path }: YamlLeaf): boolean => path[0] === 'model';
  const mine = leaves.filter(isModel);
  const section: Record<string, unknown> = {};
  for (const { path, value, isMapping } of mine) {
    if (path.length === 1 && !isMapping) section['default'] = value;
    else if (path.length === 2) section[path[1] ?? ''] = value;
  }
  const read = readModel(section);
  if (read === undefined)
    return leaves.filter(leaf => !(isModel(leaf) && leaf.path.length === 1 && !isWritten(leaf.value)));
  const READ = ['default', 'model', 'name', 'provider', 'base_url'];
  const taken = mine.filter(({ path }) => path.length === 1 || READ.includes(path[1] ?? ''));
  const line = (taken.find(({ path }) => path[1] === 'provider') ?? taken[0])?.line ?? 1;
  if (read.refused !== undefined) draft.notes.push({ name: 'model', line, text: `${read.refused}.` });
  for (const [to, value] of Object.entries(read.settings)) {
    const own = mine.find(({ path }) => path.join('.') === to);
    if (to === 'model.api_key_env' && own) continue;
    draft.leaves.push({ path: to.split('.'), value, line: own?.line ?? line, isMapping: false });
    if (own?.value !== value)
      draft.translations.push({ from: own ? to : nameOfModel(mine, to), to, value, line: own?.line ?? line });
  }
  return leaves.filter(leaf => !taken.includes(leaf));
}

/** Which key a setting of the model was read from. */
function nameOfModel(mine: readonly YamlLeaf[], to: string): string {
  const keys = mine.map(({ path }) => path.join('.'));
  const from = to === 'model.name' ? ['model.default', 'model.model', 'model'] : ['model.provider', 'model'];
  return from.find(key => keys.includes(key)) ?? 'model';
}

function factsBelow(key: string): readonly Fact[] {
  return keyFacts.filter(({ name }) => name.startsWith(`${key}.`));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.entries(found).find(([name]) => name === part)?.[1];
  }
  return found;
}

/** A variable as it is written somewhere. */
export interface WrittenVariable {
  readonly value: string;
  readonly line?: number;
}

export interface VariableReading {
  /** By our name: what is read under another one. */
  readonly added: ReadonlyMap<
    string,
    { readonly from: string; readonly value: string; readonly line: number | undefined }
  >;
  readonly ignored: readonly string[];
  readonly notes: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** `isCommon`: the place is the environment, which many programs share, so that only what means Hermes is spoken of. */
export function readVariables(
  variables: ReadonlyMap<string, WrittenVariable>,
  { isOurs, isCommon }: { readonly isOurs: (name: string) => boolean; readonly isCommon: boolean },
): VariableReading {
  const added = new Map<string, { from: string; value: string; line: number | undefined }>();
  const ignored: string[] = [];
  const notes: Remark[] = [];
  const warnings: Remark[] = [];
  for (const [name, { value, line }] of variables) {
    const fact = isOurs(name) || value === '' ? undefined : factOfVariable(name);
    if (fact === undefined || fact.fate === 'same') continue;
    const remark: Remark = { name, line, text: fact.why };
    if (fact.fate === 'foreign') {
      if (!isCommon) ignored.push(name);
    } else if (fact.to !== undefined) {
      const translated = fact.value ? fact.value(value) : value;
      if (typeof translated !== 'string') notes.push(remark);
      else if (!variables.get(fact.to)?.value) added.set(fact.to, { from: name, value: translated, line });
    } else if (fact.restricts) {
      if (fact.restricts(value)) warnings.push(remark);
    } else if (!(fact.usual ?? []).includes(value.toLowerCase())) notes.push(remark);
  }
  return { added, ignored, notes, warnings };
}

/** A value of a variable of ours, from a form that the original took. */
export function readText(key: string, text: string): unknown {
  const fact = factOfKey(key.split('.'));
  return fact?.value !== undefined && fact.to === key ? fact.value(text) : text;
}
