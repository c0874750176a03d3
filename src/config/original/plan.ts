// What `hermes migrate` does: pure. The files as they are in; the files as they would be, and everything there is to say, out.
import type { Settings } from '../../base/setting.ts';
import { parseDotenv } from '../dotenv-file.ts';
import { hasSettingBelow } from '../has-setting-below.ts';
import type { Problem } from '../problem.ts';
import { type Resolved, resolveSettings, type Sources } from '../resolve.ts';
import { parseYaml } from '../yaml-file.ts';
import { type Edited, insertYaml, removeYaml, renameYaml, sectionYaml, setYaml } from './edit-yaml.ts';
import { readVariables, type Translation } from './translate.ts';

export interface MigrationFiles {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly yamlFile: string;
  readonly dotenvFile: string;
  /** Undefined = there is no such file. */
  readonly yaml: string | undefined;
  readonly dotenv: string | undefined;
}

export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface Migration {
  /** Of files that are there, and only where something is to be written differently. */
  readonly changes: readonly FileChange[];
  /** Settings that work as they are written. */
  readonly same: readonly string[];
  /** Written for the original, read as ours: `terminal.sandbox_dir: terminal.scratch_dir`. */
  readonly translated: readonly string[];
  /** Without effect here; each says what to do. */
  readonly notes: readonly string[];
  /** What restricted somebody in the original and does not here. */
  readonly warnings: readonly string[];
  /** What would stop a start. Nothing is written while there is one. */
  readonly problems: readonly Problem[];
}

export function planMigration(files: MigrationFiles): Migration {
  const now = resolved(files, files.yaml, files.dotenv);
  const renames = renamesIn(files);
  const translated = [
    ...now.translations.map(({ from, to, value }) =>
      from === to ? `${from}: ${value === undefined ? 'unset' : JSON.stringify(value)}` : `${from}: ${to}`,
    ),
    ...[...renames].map(([to, { from }]) => `${from}: ${to}`),
  ];
  const rest = {
    same: [...now.values]
      .filter(([, { origin }]) => origin.from === 'file' || origin.from === 'dotenv')
      .map(([key]) => key),
    translated,
    notes: now.notices,
    warnings: now.warnings,
  };
  if (now.problems.length > 0) return { ...rest, changes: [], problems: now.problems };
  const yaml =
    files.yaml === undefined ? { text: undefined, unwritten: [] } : rewriteYaml(files.yaml, now.translations);
  const dotenv = files.dotenv === undefined ? undefined : rewriteDotenv(files.dotenv, renames);
  const then = resolved(files, yaml.text, dotenv);
  const problems = [
    ...yaml.unwritten.map(each => byHand(files.yamlFile, each)),
    ...then.problems,
    ...differences(now, then, files.yamlFile),
  ];
  const changes = [
    { file: files.yamlFile, before: files.yaml, after: yaml.text },
    { file: files.dotenvFile, before: files.dotenv, after: dotenv },
  ].flatMap(({ file, before, after }) =>
    before === undefined || after === undefined || before === after ? [] : [{ file, before, after }],
  );
  return { ...rest, changes: problems.length > 0 ? [] : changes, problems };
}

function resolved(files: MigrationFiles, yaml: string | undefined, dotenv: string | undefined): Resolved {
  const { settings, environment, yamlFile, dotenvFile } = files;
  const sources: Sources = {
    flags: {},
    environment,
    dotenv: parseDotenv(dotenv ?? '', dotenvFile),
    yaml: parseYaml(yaml ?? '', yamlFile, path => hasSettingBelow(settings, path)),
    ...{ dotenvFile, yamlFile },
  };
  return resolveSettings(settings, sources);
}

function renamesIn({ settings, dotenv, dotenvFile }: MigrationFiles) {
  const names = new Set(Object.values(settings).flatMap(({ env }) => env ?? []));
  const { values } = parseDotenv(dotenv ?? '', dotenvFile);
  return readVariables(values, { isOurs: name => names.has(name), isCommon: false }).added;
}

/** Every value has to be what it was: a rewrite changes how it is written, and nothing else. */
function differences(now: Resolved, then: Resolved, file: string): Problem[] {
  return [...now.values].flatMap(([key, { value }]) =>
    JSON.stringify(then.values.get(key)?.value) === JSON.stringify(value)
      ? []
      : [
          {
            where: file,
            key,
            message: 'it cannot be rewritten without changing what it means; write it by hand',
          },
        ],
  );
}

function byHand(file: string, { from, to, value, line }: Translation): Problem {
  const wanted = from === to ? `${to} = ${JSON.stringify(value)}` : to;
  return {
    where: `${file}:${line}`,
    key: from,
    message: `it is not written out here; write ${wanted} by hand`,
  };
}

function rewriteYaml(
  before: string,
  translations: readonly Translation[],
): { readonly text: string; readonly unwritten: readonly Translation[] } {
  let text = before;
  const unwritten: Translation[] = [];
  const alone = translations.filter(({ from, to }) => !from.includes('.') && to.startsWith(`${from}.`));
  const [first] = alone;
  if (first) {
    const values = Object.fromEntries(alone.map(({ from, to, value }) => [to.slice(from.length + 1), value]));
    const edited = sectionYaml(text, first.from, values);
    if (edited === undefined) unwritten.push(...alone);
    else text = edited;
  }
  for (const translation of translations) {
    if (alone.includes(translation)) continue;
    const edited = editOne(text, translation);
    if (edited === undefined) unwritten.push(translation);
    else text = edited;
  }
  return { text, unwritten };
}

function editOne(text: string, { from, to, value }: Translation): Edited {
  const [source, target] = [from.split('.'), to.split('.')];
  if (from === to) return value === undefined ? removeYaml(text, source) : setYaml(text, source, value);
  const isNeighbour =
    source.length === target.length && source.slice(0, -1).join('.') === target.slice(0, -1).join('.');
  // Other names for several settings at once, such as the provider of a model, keep their own line.
  if (!isNeighbour || !isRenamed(from, to)) return insertYaml(text, target, value);
  const renamed = renameYaml(text, source, target.at(-1) ?? '');
  return renamed === undefined ? undefined : setYaml(renamed, target, value);
}

/** `model.provider` is itself a setting: what comes from it besides is added, and it stays. */
function isRenamed(from: string, to: string): boolean {
  return !(from === 'model.provider' && to !== 'model.provider');
}

function rewriteDotenv(
  before: string,
  renames: ReadonlyMap<string, { readonly from: string; readonly value: string }>,
): string {
  let text = before;
  for (const [to, { from, value }] of renames) {
    const line = new RegExp(`^(\\s*(?:export\\s+)?)${from}(\\s*=\\s*)(.*)$`, 'm');
    text = text.replace(line, (_whole, start: string, equals: string, written: string) => {
      const isWritten = written.replace(/^(["'`])(.*)\1\s*$/, '$2').trim() === value;
      return `${start}${to}${equals}${isWritten ? written : value}`;
    });
  }
  return text;
}
