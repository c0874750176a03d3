// Every command, flag, setting, variable, error code and path that a page names in code must exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { backendNames } from '../../src/backends/index.generated.ts';
import { errorCodes } from '../../src/base/error-codes.ts';
import { type Command, longFlag } from '../../src/cli/command.ts';
import { type CommandEntry, entries, groups } from '../../src/cli/commands/index.ts';
import { sections } from '../../src/compose.ts';
import { allSettings } from '../../src/config/load.ts';
import { factOfVariable, keyFacts } from '../../src/config/original/facts.ts';
import { allChecks } from '../../src/security/all-checks.ts';
import { requirements } from '../conformance/requirements.ts';
import { requirements as platformRequirements } from '../conformance-platforms/requirements.ts';
import { pagesOf } from './markdown.ts';
import { commandLinesOf, fencesOf, spansOf } from './spoken.ts';

const root = join(import.meta.dirname, '../..');
const settings = allSettings(sections);
const variables = new Set(Object.values(settings).flatMap(({ env }) => env ?? []));
/** They look like settings, and are none. */
const otherIds = new Set<string>([
  // Of the original, which docs/migration.md is about.
  ...keyFacts.map(({ name }) => name),
  ...allChecks.map(({ id }) => id),
  ...requirements.keys(),
  ...platformRequirements.keys(),
]);
/** In front of the first dot of a setting, and so of what looks like one. */
const prefixes = new Set(Object.keys(settings).map(key => key.split('.')[0] ?? key));
/** Files of the home that look like settings. */
const FILES = /^gateway\.(?:lock|sock|log|err)$/;
const codePrefix = /^(?:USAGE|CONFIG|UNAVAILABLE|AUTH|DENIED|SANDBOX|BUG)_[A-Z_]+$/;
const GLOBAL_FLAGS = ['--json', '--help', '-h', '--version', '-V', '--set'];

const commands = new Map<CommandEntry, Command>();
beforeAll(async () => {
  for (const entry of entries) commands.set(entry, await entry.load());
}, 60_000);

/** What is wrong with a command line; nothing when it could be typed as it is. */
function faultOf(words: readonly string[]): string | undefined {
  if (words[0]?.startsWith('-')) return GLOBAL_FLAGS.includes(words[0]) ? undefined : `no flag ${words[0]}`;
  const entry = entries.find(({ path }) => path.every((word, at) => words[at] === word));
  if (!entry) return words.length === 1 && groups[words[0] ?? ''] ? undefined : 'no such command';
  const command = commands.get(entry);
  if (!command) return 'it was not loaded';
  const rest = words.slice(entry.path.length);
  const { faults, args } = takeFlags(command, rest);
  const hasRest = command.args.some(({ rest: takesAll }) => takesAll);
  if (!hasRest && args.length > command.args.length) faults.push(`too many arguments: ${args.join(' ')}`);
  if (entry.path.join(' ') === 'config set') faults.push(...settingFault(args[0], args[1]));
  return faults.length > 0 ? faults.join(', ') : undefined;
}

function takeFlags(command: Command, words: readonly string[]): { faults: string[]; args: string[] } {
  const faults: string[] = [];
  const args: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { faults, args: [...args, ...words.slice(at + 1)] };
    const isFlag = /^-\w|^--\w/.test(word);
    const found = Object.entries(command.flags).find(
      ([name, { short }]) => word === longFlag(name) || (short && word === `-${short}`),
    );
    if (!isFlag) args.push(word);
    else if (word === '--set') faults.push(...assignmentFault(words[++at]));
    else if (found && found[1].type !== 'switch') faults.push(...valueFault(found[0], words[++at]));
    else if (!found && !GLOBAL_FLAGS.includes(word)) faults.push(`no flag ${word}`);
  }
  return { faults, args };
}

function valueFault(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [`--${flag} without a value`];
  const isName = /^[a-z]+$/.test(value);
  return flag === 'backend' && isName && value !== 'auto' && !backendNames.includes(value as never)
    ? [`no backend ${value}`]
    : [];
}

function assignmentFault(text = ''): string[] {
  const [key = '', value = ''] = text.split(/=(.*)/s);
  return settingFault(key, value);
}

/** Words in capitals stand for something else, but for variables of secrets. */
function settingFault(key = '', value = ''): string[] {
  if (key === '' || /^[A-Z]+$/.test(key) || variables.has(key)) return [];
  const setting = settings[key];
  if (!setting) return [`no setting ${key}`];
  const isPlaceholder = value === '' || value === '-' || /^[A-Z]+$/.test(value);
  const { success } = setting.kind.schema.safeParse(setting.kind.fromText(value));
  return isPlaceholder || success ? [] : [`${key} does not take ${value}`];
}

describe.each(pagesOf(root))('%s names only', page => {
  const text = readFileSync(join(root, page), 'utf8');
  const spans = spansOf(text);

  it('commands with flags that exist', () => {
    const wrong = commandLinesOf(text).flatMap(words => {
      const fault = faultOf(words);
      return fault === undefined ? [] : [`hermes ${words.join(' ')}: ${fault}`];
    });
    expect(wrong).toEqual([]);
  });

  it('settings that exist', () => {
    const named = spans
      .map(span => /^([a-z]+(?:\.[a-z0-9_]+)+)(?:[:=] ?.*)?$/.exec(span)?.[1])
      .filter(name => name !== undefined)
      .filter(name => prefixes.has(name.split('.')[0] ?? '') && !otherIds.has(name) && !FILES.test(name));
    const isKnown = (name: string): boolean =>
      name in settings || Object.keys(settings).some(key => key.startsWith(`${name}.`));
    expect(named.filter(name => !isKnown(name))).toEqual([]);
  });

  it('settings in examples of config.yaml that exist', () => {
    const named = fencesOf(text)
      .filter(({ language }) => language === 'yaml')
      .flatMap(({ text: yaml }) => keysOf(parse(yaml)));
    expect(named.filter(key => !(key in settings))).toEqual([]);
  });

  it('variables and error codes that exist', () => {
    const named = spans.filter(span => /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(span));
    const codes = named.filter(
      name => codePrefix.test(name) && !(name in errorCodes) && !variables.has(name),
    );
    expect(codes).toEqual([]);
    const ours = named.filter(name => /^(?:TERMINAL|TELEGRAM|WEB|GATEWAY)_/.test(name));
    expect(ours.filter(name => !variables.has(name) && factOfVariable(name) === undefined)).toEqual([]);
  });

  it('files of the project and scripts that exist', () => {
    const files = spans.filter(span => /^(?:src|test|docs|scripts|bench|bin|docker)\/[\w./-]+$/.test(span));
    // What the reader makes: a name in capitals, and the driver whose files are the chapters of the page.
    const made = [...text.matchAll(/^## `src\/\w+\/([\w-]+)\//gm)].map(([, name = '']) => name);
    const isMade = (file: string): boolean =>
      /\bNAME\b/.test(file) || made.some(name => new RegExp(`/${name}[/.]`).test(file));
    expect(files.filter(file => !isMade(file) && !existsSync(join(root, file)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>; // our own file
    };
    const called = [...text.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name);
    expect(called.filter(name => !(name in scripts))).toEqual([]);
  });
});

/** `a.b` of `{ a: { b: 1 } }`; what a setting itself takes is not gone into. */
function keysOf(value: unknown, above: readonly string[] = []): string[] {
  const key = above.join('.');
  if (key in settings || typeof value !== 'object' || value === null || Array.isArray(value)) return [key];
  return Object.entries(value).flatMap(([name, each]) => keysOf(each, [...above, name]));
}
