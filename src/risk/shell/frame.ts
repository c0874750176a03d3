// Where a walk is: passed down, never changed. What changes is in `walk` and `scope`.
import type { Input, SimpleCommand } from '../command.ts';
import type { Scope, Walk } from './scope.ts';
import type { WordContext } from './word-context.ts';

export interface Frame {
  readonly walk: Walk;
  readonly scope: Scope;
  readonly source: string;
  readonly via: readonly string[];
  readonly depth: number;
  /** Standard input here. */
  readonly input?: Input;
  /** The next command of the pipeline, as written. */
  readonly outlet?: string;
  /** Walks a text that a shell would run. Returns the commands whose output is that of the text. */
  readonly run: (text: string, frame: Frame) => SimpleCommand[];
}

/** The context of one command's words, and what was met in them. */
export interface CommandContext extends WordContext {
  readonly met: { readonly substituted: SimpleCommand[]; readonly variables: string[] };
}
