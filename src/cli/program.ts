// Turns the command values into a commander program. Commander parses and writes the help; it runs nothing by itself.
import { Argument, Command as Commander, InvalidArgumentError, Option } from 'commander';
import { type ArgumentSpec, type Command, type FlagSpec, longFlag } from './command.ts';
import { type CommandEntry, entries, groups } from './commands/index.ts';
import { version } from './version.ts';

/** What the command line asked for. */
export interface Invocation {
  readonly command: Command;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly globals: GlobalFlags;
}

export interface GlobalFlags {
  readonly json: boolean;
  readonly set: readonly string[];
}

export interface ProgramOptions {
  readonly columns: number;
  readonly colors: boolean;
  /** Receives help and version. */
  readonly writeOut: (text: string) => void;
  /** Receives the error texts of the parser. */
  readonly writeErr: (text: string) => void;
}

/** The entry that the words lead to; flags before the command's words are skipped. */
export function findEntry(argv: readonly string[]): CommandEntry | undefined {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') break;
    if (word === '--set') at++;
    else if (!word.startsWith('-')) words.push(word);
  }
  return entries.find(({ path }) => path.every((word, at) => words[at] === word));
}

/** `loaded` is the one command whose flags are known; the others stand in the help with their summary. */
export function buildProgram(
  loaded: { entry: CommandEntry; command: Command } | undefined,
  options: ProgramOptions,
  onCall: (invocation: Invocation) => void,
): Commander {
  const program = configure(new Commander('hermes'), options)
    .description('Puts an AI agent behind a chat; every conversation gets a sandbox of its own.')
    .version(version(), '-V, --version', 'print the version')
    .addHelpText('after', '\nEach command has examples: hermes COMMAND --help');
  const groupNodes = new Map<string, Commander>();
  for (const entry of entries) {
    const [group, ...rest] = entry.path;
    let parent = program;
    if (rest.length > 0 && group !== undefined) {
      const node =
        groupNodes.get(group) ?? configure(program.command(group), options).description(groups[group] ?? '');
      groupNodes.set(group, node);
      parent = node;
    }
    const node = configure(parent.command(entry.path.at(-1) ?? ''), options).summary(entry.summary);
    if (loaded?.entry === entry) define(node, loaded.command, onCall);
  }
  return program;
}

function configure(node: Commander, options: ProgramOptions): Commander {
  return node
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .option('--json', 'print the result as JSON')
    .option('--set <key=value>', 'use this value for a setting, this once', collect)
    .configureHelp({ helpWidth: options.columns, showGlobalOptions: false })
    .configureOutput({
      writeOut: options.writeOut,
      writeErr: options.writeErr,
      outputError: (text, write) => write(text),
      getOutHasColors: () => options.colors,
      getErrHasColors: () => options.colors,
      getOutHelpWidth: () => options.columns,
      getErrHelpWidth: () => options.columns,
    });
}

function define(node: Commander, command: Command, onCall: (invocation: Invocation) => void): void {
  node.description(command.doc);
  for (const spec of command.args) node.addArgument(toArgument(spec));
  for (const [name, spec] of Object.entries(command.flags)) node.addOption(toOption(name, spec));
  const lines = command.examples.map(([line, what]) => `  hermes ${line}\n      ${what}`);
  node.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  node.action((...parameters: unknown[]) => {
    const values = parameters.slice(0, command.args.length);
    const args = Object.fromEntries(command.args.map((spec, at) => [spec.name, values[at]]));
    const { json = false, set = [], ...given } = node.opts<Partial<GlobalFlags>>();
    const above = node.parent?.optsWithGlobals<Partial<GlobalFlags>>() ?? {};
    const globals = { json: json || above.json === true, set: [...(above.set ?? []), ...set] };
    onCall({ command, flags: { ...absentFlags(command), ...given }, args, globals });
  });
}

/** What a flag is while nobody gives it. */
function absentFlags(command: Command): Record<string, unknown> {
  const absent = { switch: false, texts: [], text: undefined, number: undefined };
  return Object.fromEntries(Object.entries(command.flags).map(([name, { type }]) => [name, absent[type]]));
}

function toArgument(spec: ArgumentSpec): Argument {
  const name = spec.rest ? `${spec.name}...` : spec.name;
  const argument = new Argument(spec.optional ? `[${name}]` : `<${name}>`, spec.doc);
  return spec.choices ? argument.choices([...spec.choices]) : argument;
}

function toOption(name: string, spec: FlagSpec): Option {
  const long = longFlag(name);
  const value = spec.type === 'switch' ? '' : ` <${spec.value ?? spec.type}>`;
  const option = new Option(`${spec.short ? `-${spec.short}, ` : ''}${long}${value}`, spec.doc);
  if (spec.type === 'texts') option.argParser(collect);
  if (spec.type === 'number') option.argParser(numberFrom);
  return option;
}

function collect(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? (before as string[]) : []), value]; // only ever filled by this function
}

function numberFrom(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}
