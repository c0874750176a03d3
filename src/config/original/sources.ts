// The sources of a configuration with what was written for the original read as ours, and what there is to say about it.
import { basename } from 'node:path';
import type { Settings } from '../../base/setting.ts';
import type { DotenvValue } from '../dotenv-file.ts';
import type { Sources } from '../resolve.ts';
import { type Remark, readOriginal, readVariables, type Translation } from './translate.ts';

export interface OriginalSources {
  readonly sources: Sources;
  readonly translations: readonly Translation[];
  /** A line for each of them, and for each variable that is read under another name. */
  readonly readAs: readonly string[];
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  /** Keys of config.yaml that belong to parts that are not here. */
  readonly ignored: readonly string[];
}

export function asOurs(settings: Settings, sources: Sources): OriginalSources {
  const { yaml, dotenv, environment, yamlFile, dotenvFile } = sources;
  const names = new Set(Object.values(settings).flatMap(({ env }) => env ?? []));
  const isOurs = (name: string): boolean => names.has(name);
  const keys = readOriginal(yaml.leaves, key => Object.hasOwn(settings, key));
  const inFile = readVariables(dotenv.values, { isOurs, isCommon: false });
  const around = readVariables(written(environment), { isOurs, isCommon: true });
  const addedToFile = [...inFile.added].map(([to, { from, value, line }]): [string, DotenvValue] => [
    to,
    { value, line: line ?? 1, writtenAs: from },
  ]);
  const addedAround = [...around.added].map(([to, { value }]) => [to, value] as const);
  const modelKey = keys.leaves.find(({ path }) => path.join('.') === 'model.api_key_env')?.value;
  const said = new Set<string>();
  return {
    sources: {
      ...sources,
      yaml: { ...yaml, leaves: keys.leaves },
      dotenv: { ...dotenv, values: new Map([...dotenv.values, ...addedToFile]) },
      environment: { ...environment, ...Object.fromEntries(addedAround) },
    },
    translations: keys.translations,
    ignored: keys.ignored,
    readAs: [
      ...translationLines(keys.translations, yamlFile),
      ...[...inFile.added].map(
        ([to, { from, line }]) => `${dotenvFile}:${line}: ${from} is read as ${to}. ${REWRITE}`,
      ),
      ...[...around.added].map(([to, { from }]) => `environment: ${from} is read as ${to}.`),
    ],
    notices: [
      ...keys.notes.map(remark => noteLine(remark, yamlFile)),
      // A variable that stands in both places is spoken of once.
      ...inFile.notes.flatMap(remark => (once(said, remark) ? [noteLine(remark, dotenvFile)] : [])),
      ...around.notes.flatMap(remark => (once(said, remark) ? [noteLine(remark, 'environment')] : [])),
      ...ignoredLine(
        inFile.ignored.filter(name => name !== modelKey),
        dotenvFile,
      ),
    ],
    warnings: [
      ...keys.warnings.map(remark => warningLine(remark, yamlFile)),
      ...inFile.warnings.map(remark => warningLine(remark, dotenvFile)),
      ...around.warnings
        .filter(({ name }) => !inFile.warnings.some(each => each.name === name))
        .map(remark => warningLine(remark, 'environment')),
    ],
  };
}

const REWRITE = '`hermes migrate apply` rewrites it.';

function translationLines(translations: readonly Translation[], file: string): string[] {
  return translations.map(({ from, to, value, line }) => {
    const what = from === to ? (value === undefined ? 'unset' : JSON.stringify(value)) : to;
    return `${file}:${line}: ${from} is read as ${what}. ${REWRITE}`;
  });
}

function noteLine({ name, line, text }: Remark, file: string): string {
  return `${line === undefined ? file : `${file}:${line}`}: ${name} has no effect. ${text}`;
}

function warningLine({ name, line, text }: Remark, file: string): string {
  const where = line === undefined ? file : `${basename(file)}:${line}`;
  return `⚠ ${name} (${where}) restricts nobody here. ${text}`;
}

export function ignoredLine(names: readonly string[], file: string): string[] {
  return names.length === 0 ? [] : [`${file}: ignored, not used by Hermes: ${names.join(', ')}`];
}

function once(said: Set<string>, { name }: Remark): boolean {
  if (said.has(name)) return false;
  said.add(name);
  return true;
}

function written(environment: Sources['environment']): ReadonlyMap<string, { readonly value: string }> {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value }] as const],
    ),
  );
}
