// One call of the CLI, from the words to the exit code; streams and environment are passed in.
import type { Readable } from 'node:stream';
import { CommanderError } from 'commander';
import picocolors from 'picocolors';
import { type Clock, systemClock } from '../base/clock.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import type { Environment } from '../config/environment.ts';
import { type CliRedaction, cliRedaction } from './cli-redaction.ts';
import { type CommandContext, type Look, longFlag } from './command.ts';
import type { CommandEntry } from './commands/index.ts';
import { errorText } from './error-text.ts';
import { openLines } from './lines.ts';
import { buildProgram, findEntry, type Invocation } from './program.ts';
import { wrapLines } from './table.ts';

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string | Uint8Array): unknown;
  once?(event: string, listener: () => void): unknown;
  off?(event: string, listener: () => void): unknown;
}

export type Input = Readable & { readonly isTTY?: boolean };

export interface CliOptions {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly stdin: Input;
  /** Aborts when the user interrupts; absent = never. */
  readonly signal?: AbortSignal;
  /** Absent = the system's. */
  readonly clock?: Clock;
  /** Makes the signal abort; absent = it never does. */
  readonly end?: () => void;
  readonly stdout: Output;
  readonly stderr: Output;
}

const TABLE_COLUMNS = 80;
const TERMINAL_ROWS = 24;

export async function runCli(options: CliOptions): Promise<number> {
  let json = options.argv.includes('--json');
  const redaction = cliRedaction(options.environment);
  try {
    const invocation = await parse(options);
    if (invocation === undefined) return 0;
    json = invocation.globals.json;
    const { command, flags, args } = invocation;
    const context = contextFor(invocation, options, redaction);
    const data = await command.run({ flags, args }, context);
    const text = json
      ? (command.renderJson?.(data) ?? JSON.stringify(data, null, 2))
      : command.render(data, lookOf(options.stdout, options));
    if (text !== '') options.stdout.write(`${text}\n`);
    return command.exitCode?.(data) ?? 0;
  } catch (error) {
    const failure = asHermesError(error);
    const { stderr } = options;
    const text = errorText(failure, {
      ...{ json, look: lookOf(stderr, options), isShown: stderr.isTTY === true },
      redact: await redaction.forErrors(),
    });
    stderr.write(`${text}\n`);
    return failure.exitCode;
  }
}

/** Undefined when help or version was asked for and has been written. */
async function parse(options: CliOptions): Promise<Invocation | undefined> {
  const [first, ...others] = options.argv;
  const argv = first === 'help' ? [...others, '--help'] : options.argv;
  const entry = findEntry(argv);
  const loaded = entry && { entry, command: await entry.load() };
  const look = lookOf(options.stdout, options);
  let invocation: Invocation | undefined;
  let complaint = '';
  const program = buildProgram(
    loaded,
    {
      columns: look.columns,
      colors: look.colors.isColorSupported,
      writeOut: text => options.stdout.write(text),
      writeErr: text => {
        complaint += text;
      },
    },
    called => {
      invocation = called;
    },
  );
  if (argv.length === 0) {
    program.outputHelp();
    return undefined;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw usageError(error, complaint, entry, loaded?.command.flags);
  }
  return invocation;
}

function usageError(
  error: CommanderError,
  complaint: string,
  entry: CommandEntry | undefined,
  flags: object = {},
): HermesError {
  // A group without a verb makes commander write its help as the complaint.
  if (error.code === 'commander.help') {
    return new HermesError('USAGE_BAD_ARGUMENTS', `A command is missing.\n\n${complaint.trimEnd()}`);
  }
  const text = complaint
    .replace(/^error: /, '')
    .replace(/\n\((.*)\)\s*$/, '. $1')
    .trim();
  if (error.code === 'commander.unknownCommand' || (error.code === 'commander.excessArguments' && !entry)) {
    return new HermesError(
      'USAGE_UNKNOWN_COMMAND',
      `${sentence(text)} \`hermes --help\` lists all commands.`,
    );
  }
  const ours = ['--json', '--set', ...(entry ? [] : ['--version']), '--help'];
  const accepted = [...Object.keys(flags).map(longFlag), ...ours].join(', ');
  const hint = error.code === 'commander.unknownOption' ? ` Accepted: ${accepted}.` : '';
  const see = entry ? ` See: hermes ${entry.path.join(' ')} --help` : '';
  return new HermesError('USAGE_BAD_ARGUMENTS', `${sentence(text)}${hint}${see}`);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');
}

function contextFor(
  invocation: Invocation,
  options: CliOptions,
  { learn, inNote }: CliRedaction,
): CommandContext {
  const { environment, stderr } = options;
  const fixed = Object.fromEntries(invocation.globals.set.map(parseSet));
  const warn = (text: string): void => {
    const { colors } = lookOf(stderr, options);
    const said = inNote(text);
    const shown = shownOn(stderr, said, options);
    stderr.write(`${invocation.globals.json ? JSON.stringify({ warning: said }) : colors.yellow(shown)}\n`);
  };
  const warned = new Set<string>();
  return {
    environment,
    clock: options.clock ?? systemClock,
    actor: 'cli',
    config: async (flags = {}) => {
      const { loadHermesConfig } = await import('../compose.ts');
      const config = await loadHermesConfig(environment, { ...fixed, ...flags });
      await learn(config);
      // Commands load it more than once; what it overrules is said by the first time.
      for (const text of config.overruled.filter(each => !warned.has(each))) {
        warned.add(text);
        warn(text);
      }
      return config;
    },
    readInput: async () => new TextDecoder().decode(await readAll(options)).replace(/\r?\n$/, ''),
    readBytes: () => readAll(options),
    readChunks: () => chunksOf(options),
    signal: options.signal ?? new AbortController().signal,
    ...(invocation.globals.json
      ? {}
      : { stream: ({ stream, data }) => taken(stream === 'stdout' ? options.stdout : stderr, data) }),
    terminal: () => ({
      isTyped: options.stdin.isTTY === true,
      isShown: options.stdout.isTTY === true && environment['TERM'] !== 'dumb',
      rows: options.stdout.rows || TERMINAL_ROWS,
      look: lookOf(options.stdout, options),
    }),
    openLines: lineOptions => openLines(options.stdin, options.stdout, lineOptions),
    note: text => {
      if (invocation.globals.json) return;
      const { colors } = lookOf(stderr, options);
      const said = shownOn(stderr, `note: ${inNote(text)}`, options);
      stderr.write(`${said.replace('note:', colors.yellow('note:'))}\n`);
    },
    warn,
    tell: ({ text, data }) => {
      options.stdout.write(`${inNote(invocation.globals.json ? JSON.stringify(data) : text)}\n`);
    },
    end: options.end ?? (() => undefined),
  };
}

/** Resolves when the reader at the other end has caught up; at once when there is nothing to wait for. */
function taken(output: Output, data: string | Uint8Array): Promise<void> | undefined {
  if (output.write(data) !== false || !output.once) return undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const caughtUp = (): void => {
    output.off?.('drain', caughtUp);
    output.off?.('close', caughtUp);
    resolve();
  };
  output.once('drain', caughtUp);
  output.once('close', caughtUp);
  return promise;
}

async function readAll(options: CliOptions): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Who is asked to end while reading ends with what there is. */
async function* chunksOf({ stdin, signal }: CliOptions): AsyncGenerator<Buffer> {
  const stop = (): void => void stdin.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) yield Buffer.from(chunk);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function parseSet(text: string): [string, { flag: string; text: string }] {
  const at = text.indexOf('=');
  if (at <= 0) {
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      `--set ${text} is no assignment. Accepted: --set KEY=VALUE.`,
    );
  }
  return [text.slice(0, at), { flag: `--set ${text.slice(0, at)}`, text: text.slice(at + 1) }];
}

/** A terminal would break words where its line ends. */
function shownOn(stream: Output, text: string, options: CliOptions): string {
  return stream.isTTY ? wrapLines(text, lookOf(stream, options)) : text;
}

function lookOf(stream: Output, { environment }: CliOptions): Look {
  const forced = environment['FORCE_COLOR'] !== undefined && environment['FORCE_COLOR'] !== '0';
  const wanted =
    !environment['NO_COLOR'] && environment['TERM'] !== 'dumb' && (stream.isTTY === true || forced);
  return {
    colors: picocolors.createColors(wanted),
    // A terminal that does not know its size says 0.
    columns: Math.min(stream.columns || TABLE_COLUMNS, 120),
  };
}
