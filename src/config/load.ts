// Loads the configuration once, from flags, environment, `.env`, `config.yaml` and defaults, in this order.
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { HermesError } from '../base/errors.ts';
import type { Section, Settings } from '../base/setting.ts';
import type { Config, ConfigPaths, SettingsOf } from './config.ts';
import { parseDotenv } from './dotenv-file.ts';
import { hasSettingBelow } from './has-setting-below.ts';
import { configInvalid } from './problem.ts';
import { readIfThere } from './read-file.ts';
import { type FlagValue, type Resolved, resolveSettings, type Sources } from './resolve.ts';
import { parseYaml } from './yaml-file.ts';

export interface LoadOptions<S extends readonly Section[]> {
  readonly sections: S;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By dotted key. */
  readonly flags?: Readonly<Record<string, FlagValue>>;
}

/** Throws CONFIG_INVALID with every problem there is, or CONFIG_UNREADABLE. Writes nothing. */
export async function loadConfig<const S extends readonly Section[]>(
  options: LoadOptions<S>,
): Promise<Config<SettingsOf<S>>> {
  const paths = configPaths(options.environment);
  const settings = allSettings(options.sections);
  const [yamlText, dotenvText] = await Promise.all([readIfThere(paths.config), readIfThere(paths.dotenv)]);
  const sources: Sources = {
    flags: options.flags ?? {},
    environment: options.environment,
    dotenv: parseDotenv(dotenvText ?? '', paths.dotenv),
    yaml: parseYaml(yamlText ?? '', paths.config, path => hasSettingBelow(settings, path)),
    dotenvFile: paths.dotenv,
    yamlFile: paths.config,
  };
  const resolved = resolveSettings(settings, sources);
  if (resolved.problems.length > 0) throw configInvalid(resolved.problems);
  const notices = [
    ...resolved.readAs,
    ...resolved.notices,
    ...(dotenvText === undefined ? [] : await looseMode(paths.dotenv)),
  ];
  // The map holds exactly the values of these sections, each checked by its own schema.
  return makeConfig(settings, resolved, sources, paths, notices) as Config<SettingsOf<S>>;
}

export function configPaths(environment: Readonly<Record<string, string | undefined>>): ConfigPaths {
  const asked = environment['HERMES_HOME'];
  const base = environment['HOME'] || homedir();
  const home = asked ? resolve(asked.replace(/^~(?=\/|$)/, base)) : join(base, '.hermes');
  if (!isAbsolute(home)) {
    throw new HermesError('CONFIG_UNREADABLE', 'No home folder is known. Set HOME or HERMES_HOME.');
  }
  return { home, config: join(home, 'config.yaml'), dotenv: join(home, '.env') };
}

export function allSettings(sections: readonly Section[]): Settings {
  return Object.assign({}, ...sections.map(section => section.settings)) as Settings;
}

function makeConfig(
  settings: Settings,
  resolved: Resolved,
  sources: Sources,
  paths: ConfigPaths,
  notices: readonly string[],
): Config {
  const look = (key: string) => {
    const found = resolved.values.get(key);
    if (!found) throw new HermesError('BUG_UNEXPECTED', `The setting ${key} belongs to no loaded section.`);
    return found;
  };
  const entries = Object.entries(settings).map(([key, setting]) => ({ key, setting, ...look(key) }));
  return Object.freeze<Config>({
    paths,
    notices,
    overruled: resolved.overruled,
    warnings: resolved.warnings,
    get: key => look(key).value as never, // typed by the declaration under the same key
    origin: key => look(key).origin,
    stated: key => resolved.stated.get(key) ?? [],
    entries: () => entries,
    variable: name => sources.environment[name] ?? sources.dotenv.values.get(name)?.value,
    variables: prefix => variablesOf(prefix, sources),
    secretValues: () => secretValues(settings, resolved, sources),
  });
}

function variablesOf(prefix: string, { environment, dotenv }: Sources): Readonly<Record<string, string>> {
  const written = [...dotenv.values].map(([name, { value }]) => [name, value] as const);
  // The environment is stronger, so it comes last.
  const all = [...written, ...Object.entries(environment)];
  return Object.freeze(
    Object.fromEntries(
      all.flatMap(([name, value]) => (name.startsWith(prefix) && value !== undefined ? [[name, value]] : [])),
    ),
  );
}

function secretValues(settings: Settings, resolved: Resolved, sources: Sources): string[] {
  const found = [...sources.dotenv.values.values()].map(entry => entry.value);
  for (const [key, setting] of Object.entries(settings)) {
    const value = resolved.values.get(key)?.value;
    if (setting.secret && typeof value === 'string') found.push(value);
  }
  return [...new Set(found)].filter(value => value !== '');
}

async function looseMode(file: string): Promise<string[]> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return [];
  return [`${file} holds secrets and others can read it; run: chmod 600 ${file}`];
}
