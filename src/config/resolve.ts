// The pure heart of the configuration: sources in, values with origins and all problems out.
import type { Setting, Settings } from '../base/setting.ts';
import type { DotenvFile } from './dotenv-file.ts';
import { expandVariables } from './expand.ts';
import { misplaced } from './misplaced.ts';
import { nearestName } from './nearest.ts';
import { describeOrigin, type Origin } from './origin.ts';
import { UNSET } from './original/fact.ts';
import { factOfVariable } from './original/facts.ts';
import { asOurs, ignoredLine } from './original/sources.ts';
import { readText, type Translation } from './original/translate.ts';
import { decideByRule } from './precedence.ts';
import { type Problem, showValue } from './problem.ts';
import type { YamlFile, YamlLeaf } from './yaml-file.ts';

/** A value that a command line gave for a setting. */
export interface FlagValue {
  /** The flag as the user typed it, such as `--backend`. */
  readonly flag: string;
  readonly text: string;
}

export interface Sources {
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dotenv: DotenvFile;
  readonly yaml: YamlFile;
  readonly dotenvFile: string;
  readonly yamlFile: string;
}

export interface ResolvedValue {
  readonly value: unknown;
  readonly origin: Origin;
}

export interface Resolved {
  readonly values: ReadonlyMap<string, ResolvedValue>;
  /** What every source says, strongest first. The first one is the value, unless a safer one overrules it. */
  readonly stated: ReadonlyMap<string, readonly ResolvedValue[]>;
  /** Where a weaker source has decided because it isolates more; a line each. */
  readonly overruled: readonly string[];
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
  /** Values that are read under another name or in another form; a line each. */
  readonly readAs: readonly string[];
  /** What restricted somebody in the original Hermes and does not here. */
  readonly warnings: readonly string[];
  readonly translations: readonly Translation[];
}

interface Candidate {
  readonly raw: unknown;
  readonly origin: Origin;
}

export function resolveSettings(settings: Settings, written: Sources): Resolved {
  const original = asOurs(settings, written);
  const { sources } = original;
  const problems: Problem[] = [...sources.yaml.problems, ...sources.dotenv.problems];
  const unknown = judgeUnknownKeys(settings, sources, original.ignored);
  problems.push(...unknown.problems, ...unknownFlags(settings, sources));
  const leaves = new Map(
    sources.yaml.leaves.filter(isWrittenOut).map(leaf => [leaf.path.join('.'), leaf] as const),
  );
  const values = new Map<string, ResolvedValue>();
  const stated = new Map<string, readonly ResolvedValue[]>();
  for (const [key, setting] of Object.entries(settings)) {
    // Every source is judged, not only the one that wins: a broken value must not wait for its day.
    const judged = candidates(key, setting, sources, leaves.get(key), problems)
      .map(candidate => judge(key, setting, candidate, problems))
      .filter(result => result !== undefined);
    stated.set(key, judged);
  }
  const overruled: string[] = [];
  for (const [key, setting] of Object.entries(settings)) {
    const { decided, said } = decideByRule(key, setting, stated);
    values.set(key, decided ?? { value: setting.default, origin: { from: 'default' } });
    if (said !== undefined) overruled.push(said);
  }
  return {
    overruled,
    values,
    stated,
    problems: problems.map(maskSecrets(settings, sources)),
    notices: [...original.notices, ...unknown.notices, ...unknownVariables(settings, written)],
    readAs: original.readAs,
    warnings: original.warnings,
    translations: original.translations,
  };
}

/** A variable that holds a secret may have been put where something else belongs; its value is shown nowhere (P7). */
function maskSecrets(settings: Settings, sources: Sources): (problem: Problem) => Problem {
  const secret = new Set(Object.values(settings).flatMap(({ secret, env }) => (secret && env ? [env] : [])));
  const ours = Object.entries(sources.environment).filter(([name]) => secret.has(name));
  const values = [
    ...sources.dotenv.values.values().map(({ value }) => value),
    ...ours.map(([, value]) => value),
  ];
  const hidden = values.filter(value => value !== undefined && value.length >= SHORTEST_SECRET);
  return problem =>
    hidden.some(value => problem.value?.includes(value ?? '')) ? { ...problem, value: '***' } : problem;
}

/** Shorter ones, such as `true` or a port, are in too many harmless values. */
const SHORTEST_SECRET = 6;

/** What each source says about a setting, strongest first. */
function candidates(
  key: string,
  setting: Setting<unknown>,
  sources: Sources,
  leaf: YamlLeaf | undefined,
  problems: Problem[],
): Candidate[] {
  const found: Candidate[] = [];
  const flag = sources.flags[key];
  if (flag) found.push({ raw: setting.kind.fromText(flag.text), origin: { from: 'flag', name: flag.flag } });
  const { env: name } = setting;
  const push = (text: string, origin: Origin): void => {
    const read = readText(key, text);
    if (read !== UNSET) found.push({ raw: read === text ? setting.kind.fromText(text) : read, origin });
  };
  if (name !== undefined) {
    const text = sources.environment[name];
    if (text) push(text, { from: 'environment', name });
    const entry = sources.dotenv.values.get(name);
    if (entry?.value) {
      const { line, writtenAs = name } = entry;
      push(entry.value, { from: 'dotenv', file: sources.dotenvFile, line, name: writtenAs });
    }
  }
  if (leaf && leaf.value !== null && leaf.value !== '')
    found.push(fromYaml(key, setting, sources, leaf, problems));
  return found;
}

function fromYaml(
  key: string,
  setting: Setting<unknown>,
  sources: Sources,
  leaf: YamlLeaf,
  problems: Problem[],
): Candidate {
  const origin = { from: 'file', file: sources.yamlFile, line: leaf.line } as const;
  const lookUp = (name: string): string | undefined =>
    sources.environment[name] ?? sources.dotenv.values.get(name)?.value;
  const expanded = expandVariables(leaf.value, lookUp);
  for (const name of expanded.missing) {
    problems.push({
      where: describeOrigin(origin),
      key,
      message: `\${${name}} is set neither in the environment nor in ${sources.dotenvFile}`,
      accepted: `a variable that is set, or $\${${name}} for the text itself`,
    });
  }
  const { value } = expanded;
  return {
    raw: expanded.changed && typeof value === 'string' ? setting.kind.fromText(value) : value,
    origin,
  };
}

function judge(
  key: string,
  setting: Setting<unknown>,
  candidate: Candidate,
  problems: Problem[],
): ResolvedValue | undefined {
  const parsed = setting.kind.schema.safeParse(candidate.raw);
  if (parsed.success) return { value: parsed.data, origin: candidate.origin };
  const { choices, accepts } = setting.kind;
  const nearest =
    choices && typeof candidate.raw === 'string' ? nearestName(candidate.raw, choices) : undefined;
  problems.push({
    where: describeOrigin(candidate.origin),
    key,
    value: showValue(candidate.raw, setting.secret),
    message: 'this value is not accepted',
    accepted: accepts,
    ...(nearest === undefined ? {} : { nearest }),
  });
  return undefined;
}

const WRITTEN_SHORT = {
  message: 'a key with a dot is not read',
  accepted: 'the section on a line of its own and the rest indented below it',
};

/** `terminal.timeout: 5` in one line would be a second way to write a setting, which `config set` could not find. */
function isWrittenOut({ path }: YamlLeaf): boolean {
  return !path.some(part => part.includes('.'));
}

function judgeUnknownKeys(
  settings: Settings,
  sources: Sources,
  foreign: readonly string[],
): { problems: Problem[]; notices: string[] } {
  const keys = Object.keys(settings);
  const heads = new Set(keys.map(key => key.split('.')[0] ?? key));
  const problems: Problem[] = [];
  const ignored = [...foreign];
  for (const leaf of sources.yaml.leaves) {
    const key = leaf.path.join('.');
    const where = `${sources.yamlFile}:${leaf.line}`;
    if (Object.hasOwn(settings, key)) {
      if (!isWrittenOut(leaf)) problems.push({ where, key, ...WRITTEN_SHORT });
      continue;
    }
    const head = leaf.path[0] ?? key;
    if (heads.has(head) && leaf.path.length === 1) {
      if (leaf.value !== null)
        problems.push({
          where,
          key,
          value: showValue(leaf.value, hasSecret(settings, head)),
          message: 'this is a section',
          accepted: `settings such as ${keys.find(name => name.startsWith(`${head}.`))}, indented below it`,
        });
      continue;
    }
    const nearest =
      misplaced(leaf.path, settings) ??
      nearestName(key, keys) ??
      (heads.has(head) ? undefined : nearestName(head, heads));
    if (leaf.path.length === 1 && leaf.isMapping && nearest === undefined) ignored.push(key);
    else problems.push({ where, key, message: 'there is no such setting', ...(nearest ? { nearest } : {}) });
  }
  return { problems, notices: ignoredLine(ignored, sources.yamlFile) };
}

/** Whether something written straight to a section may have been meant for one of its secrets. */
function hasSecret(settings: Settings, head: string): boolean {
  return Object.entries(settings).some(([key, { secret }]) => secret && key.startsWith(`${head}.`));
}

function unknownFlags(settings: Settings, sources: Sources): Problem[] {
  return Object.entries(sources.flags)
    .filter(([key]) => !Object.hasOwn(settings, key))
    .map(([key, { flag }]) => {
      const nearest = nearestName(key, Object.keys(settings));
      return {
        where: `flag ${flag}`,
        key,
        message: 'there is no such setting',
        ...(nearest ? { nearest } : {}),
      };
    });
}

const OUR_PREFIXES = /^(TERMINAL|GATEWAY)_/;

/** Variables are common land: an unknown one is no error, but one that looks like a slip is worth a word. */
function unknownVariables(settings: Settings, sources: Sources): string[] {
  const known = new Set(Object.values(settings).flatMap(setting => setting.env ?? []));
  const isOdd = (name: string): boolean =>
    OUR_PREFIXES.test(name) && !known.has(name) && factOfVariable(name) === undefined;
  const say = (where: string, name: string): string => {
    const nearest = nearestName(name, known);
    return `${where}: ${name} is no setting and has no effect${nearest ? `; did you mean ${nearest}?` : ''}`;
  };
  return [
    ...Object.keys(sources.environment)
      .filter(isOdd)
      .map(name => say('environment', name)),
    ...[...sources.dotenv.values]
      .filter(([name]) => isOdd(name))
      .map(([name, { line }]) => say(`${sources.dotenvFile}:${line}`, name)),
  ];
}
