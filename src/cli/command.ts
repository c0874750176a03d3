// What a command of the CLI is: a typed value. `run` does the work and returns data, `render` makes text of it;
// printing and exiting is main's. The dashboard calls the same values.
import type { Colors } from 'picocolors/types.js';
import type { Deed } from '../agent/deed.ts';
import type { AnswerOutcome, Decision } from '../approvals/desk.ts';
import type { Clock } from '../base/clock.ts';
import type { HermesConfig } from '../compose.ts';
import type { Environment } from '../config/environment.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { Session } from '../store/sessions.ts';
import type { LineOptions, Lines } from './lines.ts';

export interface FlagSpec {
  /** `switch` has no value; `text` and `number` take one; `texts` may be given several times. */
  readonly type: 'switch' | 'text' | 'number' | 'texts';
  readonly short?: string;
  /** How the help calls the value. */
  readonly value?: string;
  readonly doc: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly doc: string;
  readonly optional?: boolean;
  /** Takes all remaining words, also those that look like flags when they follow `--`. */
  readonly rest?: boolean;
  /** The closed list of values, where there is one. */
  readonly choices?: readonly string[];
  /** The argument is the key of a setting; completion offers them all. */
  readonly isSetting?: boolean;
}

type FlagValue<F extends FlagSpec> = F['type'] extends 'switch'
  ? boolean
  : F['type'] extends 'number'
    ? number | undefined
    : F['type'] extends 'texts'
      ? readonly string[]
      : string | undefined;

type ArgumentValue<A extends ArgumentSpec> = A['rest'] extends true
  ? readonly string[]
  : A['optional'] extends true
    ? string | undefined
    : string;

export interface Input<F extends Record<string, FlagSpec>, A extends readonly ArgumentSpec[]> {
  readonly flags: { readonly [K in keyof F]: FlagValue<F[K]> };
  readonly args: { readonly [K in A[number] as K['name']]: ArgumentValue<K> };
}

/** How the output looks: colours only on a terminal that wants them. */
export interface Look {
  readonly colors: Colors;
  readonly columns: number;
}

/** The two ends of a conversation with a person. */
export interface TerminalFacts {
  /** Whether somebody types, and not a file or a pipe. */
  readonly isTyped: boolean;
  /** Whether a terminal shows the output. */
  readonly isShown: boolean;
  readonly rows: number;
  /** Of the output, as wide as it is now. */
  readonly look: Look;
}

/** The gateway that a command runs inside of, when a page calls it: its state is used, and its connections. */
export interface Inside {
  readonly world: SandboxWorld;
  /** Whose page it is. */
  readonly reader: 'owner' | 'user';
  /** What whoever calls it does in the sandbox of a session; throws DENIED_ACTION. */
  perform<T>(session: Session, deed: Deed<T>): Promise<T>;
  answerApproval(id: string, decision: Decision): Promise<AnswerOutcome>;
}

/** What a command may use of the world. */
export interface CommandContext {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Who calls it, for the audit: `cli`, or the person whose page it is. */
  readonly actor: string;
  /** Absent = a process of its own. */
  readonly inside?: Inside;
  /** Loads the configuration with the global `--set` flags; throws with all problems. */
  readonly config: (
    flags?: Readonly<Record<string, { flag: string; text: string }>>,
  ) => Promise<HermesConfig>;
  /** All of standard input as text, without the line break at its end. */
  readonly readInput: () => Promise<string>;
  /** All of standard input as it is. */
  readonly readBytes: () => Promise<Uint8Array>;
  /** Standard input piece by piece, as it comes. */
  readonly readChunks: () => AsyncIterable<Uint8Array>;
  /** Aborts on Ctrl-C; its reason is the name of the signal. A second Ctrl-C ends the process. */
  readonly signal: AbortSignal;
  /** Passes on what a command writes, as it writes it; absent with --json. */
  readonly stream?: (chunk: {
    stream: 'stdout' | 'stderr';
    data: string | Uint8Array;
  }) => Promise<void> | undefined;
  readonly terminal: () => TerminalFacts;
  /** Reads lines from the user, or from a pipe. */
  readonly openLines: (options: LineOptions) => Lines;
  /** A remark that is not the result: to stderr, and not with --json. */
  readonly note: (text: string) => void;
  /** A remark that must be seen: to stderr, with --json as a line of it. */
  readonly warn: (text: string) => void;
  /** Something that has happened and is no end yet: to stdout, with --json as a line of it. */
  readonly tell: (event: { readonly text: string; readonly data: unknown }) => void;
  /** Asks the program to end, as Ctrl-C does. */
  readonly end: () => void;
}

interface CommandSpec<F extends Record<string, FlagSpec>, A extends readonly ArgumentSpec[], Data> {
  readonly doc: string;
  readonly flags: F;
  readonly args: A;
  /** Command lines without the leading `hermes`, and what each does. */
  readonly examples: readonly (readonly [string, string])[];
  run(input: Input<F, A>, context: CommandContext): Promise<Data>;
  render(data: Data, look: Look): string;
  /** How `--json` prints it; absent = as one indented value. */
  renderJson?(data: Data): string;
  /** 0 unless said otherwise. */
  exitCode?(data: Data): number;
}

/** A command whose exact types are forgotten: what the frame, which fills `input` from the specs, works with. */
export interface Command extends CommandSpec<Record<string, FlagSpec>, readonly ArgumentSpec[], unknown> {
  run(input: LooseInput, context: CommandContext): Promise<unknown>;
}

export interface LooseInput {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Types `run` by the flags and arguments declared beside it. */
export function defineCommand<
  const F extends Record<string, FlagSpec>,
  const A extends readonly ArgumentSpec[],
  Data,
>(command: CommandSpec<F, A, Data>): Command {
  return command as unknown as Command; // the frame builds the input from the very specs that type it
}

/** How a flag is typed: `keepAlive` becomes `--keep-alive`. */
export function longFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}
