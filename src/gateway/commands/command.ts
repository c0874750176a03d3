// What a command in a chat is: a line of a table. It acts at once, whether a run is under way or waits.
import type { Deed } from '../../agent/deed.ts';
import type { Session } from '../../store/sessions.ts';
import type { Address } from '../address.ts';
import type { Links } from '../links.ts';
import type { NewBody } from '../outgoing.ts';
import type { Admitted, GatewayParts } from '../parts.ts';
import type { Runs } from '../runs.ts';

export interface CommandContext {
  readonly parts: GatewayParts;
  readonly runs: Runs;
  readonly links: Links;
  readonly by: Admitted;
  readonly session: Session;
  readonly address: Address;
  /** What the person does in the sandbox of the session; throws DENIED_ACTION. */
  readonly perform: <T>(deed: Deed<T>) => Promise<T>;
  /** The gateway stops, and what was cut off by that has no answer. */
  readonly isStopping: () => boolean;
  /** Its place among all that was said; what has a lower one came before. */
  readonly seq: number;
  /** What follows the name, trimmed. */
  readonly args: string;
}

export interface ChatCommand {
  readonly name: string;
  /** What may follow the name, for the help; absent = nothing. */
  readonly usage?: string;
  /** One line. */
  readonly doc: string;
  readonly for: 'everybody' | 'owners';
  /** What is answered. Throws HermesErrors; what they say is answered instead. */
  run(context: CommandContext): Promise<string | readonly NewBody[]>;
}

/** `/name args`, also as `/name@bot args`; undefined when the text is no command, such as a path. */
export function parseCommand(text: string): { readonly name: string; readonly args: string } | undefined {
  const [, name, args = ''] = /^\/([a-z][a-z0-9_]{0,31})(?:@\S+)?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: args.trim() };
}
