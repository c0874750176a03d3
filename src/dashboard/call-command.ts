// Calls a command of the CLI for a person at a page: the same value, inside of the running gateway, as that person.
import { HermesError } from '../base/errors.ts';
import type { Command, CommandContext, Inside } from '../cli/command.ts';
import { entries } from '../cli/commands/index.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type Call, checkOffered, inputFor } from './offered-commands.ts';

export type PagePerform = Gateway['perform'];

export interface CallerParts extends Pick<CommandContext, 'environment' | 'clock' | 'config'> {
  readonly world: Inside['world'];
  /** What an owner does in a sandbox, with the page as the way. */
  readonly perform: PagePerform;
  /** For whoever acts by the page, such as `web:anna`. */
  readonly answerApproval: (
    who: string,
    ...answer: Parameters<Inside['answerApproval']>
  ) => ReturnType<Inside['answerApproval']>;
}

export interface Called {
  readonly data: unknown;
  /** Remarks that are not the result. */
  readonly notes: readonly string[];
}

export interface CallOptions {
  readonly actor: string;
  /** Absent = an owner. */
  readonly reader?: 'owner' | 'user';
  readonly signal?: AbortSignal;
}

/** Throws what the command throws, and what `checkOffered` does. */
export async function callCommand(parts: CallerParts, given: Call, options: CallOptions): Promise<Called> {
  checkOffered(given);
  return runCommand(parts, given, options);
}

/** Any command, for what the dashboard itself has decided. */
export async function runCommand(parts: CallerParts, given: Call, options: CallOptions): Promise<Called> {
  const command = await loadCommand(given.command);
  if (!command)
    throw new HermesError('USAGE_UNKNOWN_COMMAND', `There is no command ${given.command} in this version.`);
  const notes: string[] = [];
  const context = contextFor(parts, options, text => notes.push(text));
  return { data: await command.run(inputFor(command, given), context), notes };
}

async function loadCommand(words: string): Promise<Command | undefined> {
  return entries.find(({ path }) => path.join(' ') === words)?.load();
}

function contextFor(
  { environment, clock, config, world, perform, answerApproval }: CallerParts,
  { actor, reader = 'owner', signal = new AbortController().signal }: CallOptions,
  note: (text: string) => void,
): CommandContext {
  return {
    ...{ environment, clock, config, actor, signal, note },
    inside: {
      ...{ world, reader },
      perform: (session, deed) => perform(session, deed, { person: actor, signal }),
      answerApproval: (...answer) => answerApproval(actor, ...answer),
    },
    warn: note,
    tell: ({ text }) => note(text),
    readInput: async () => '',
    readBytes: async () => new Uint8Array(),
    readChunks: () => nothing(),
    terminal: noTerminal,
    openLines: noTerminal,
    end: () => undefined,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function noTerminal(): never {
  throw new HermesError('USAGE_BAD_ARGUMENTS', 'This command needs a terminal, which a page is not.');
}
