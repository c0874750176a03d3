// What a tool is: a schema for the model, and an effect that goes through the session's sandbox and nowhere else. Tools
// are called by the door alone (agent/door.ts), which checks the input, asks where something could do harm, redacts and records.
import type { z } from 'zod';
import type { Abortable } from '../base/abortable.ts';
import type { ToolAnswer, ToolCall } from '../providers/provider.ts';
import type { BackgroundProcess } from '../sandboxes/background-process.ts';
import type { ExecOptions, SandboxHandle, StartOptions } from '../sandboxes/handle.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { CallRef } from '../store/begun-calls.ts';
import type { Session } from '../store/sessions.ts';

/** What a call would do, for the analysis; nothing is asked about a call without one. */
export type Action =
  /** `folder`: where it runs; absent = wherever the session's shell stands. `inBackground`: it goes on when the call has ended. */
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly folder?: string;
      readonly inBackground?: boolean;
    }
  /** Asked about like the command that shows the file. */
  | { readonly kind: 'read'; readonly path: string }
  /** The same, to the chat: who may read it here has not agreed to that yet. */
  | { readonly kind: 'send'; readonly path: string }
  /** Asked about like `ls`, `find` and `grep`. */
  | { readonly kind: 'list'; readonly path: string }
  | {
      readonly kind: 'search';
      readonly path: string;
      readonly pattern: string;
      readonly target: 'content' | 'names';
    }
  /** Asked about like the command that writes the file; key files too. `text` is shown whole. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** Asked about where nothing is contained, whatever it does; shown whole. */
  | { readonly kind: 'script'; readonly language: string; readonly text: string };

export interface OutgoingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly caption?: string;
}

/** The session's sandbox as tools see it; a lease fits. Commands go through it, so that they are recorded and survive a loss. */
export interface ToolSandbox {
  readonly sandboxId: string;
  /** For files and processes. */
  readonly handle: SandboxHandle;
  /** `call`: whose beginning is written down together with that of the command. */
  exec(command: string, options?: ExecOptions & { readonly call?: CallRef }): Promise<ExecResult>;
  start(
    command: string,
    options?: StartOptions & {
      readonly call?: CallRef;
      /** How often the chat is told that it still runs; absent = never. */
      readonly checkIntervalMs?: number;
    },
  ): Promise<BackgroundProcess>;
  /** What has to be said about the sandbox and was not yet, such as that it is a new one; absent = nothing ever. */
  takeNotices?(): readonly string[];
}

/** Everything about a call that is the session's and the run's; passed on, never global (P3). */
export interface ToolContext {
  readonly session: Session;
  readonly runId: string;
  /** Whose message led to it, such as `telegram:123`. */
  readonly requester: string;
  readonly signal: AbortSignal;
  /** The session's sandbox, held for the whole run; made at the first call. */
  readonly sandbox: () => Promise<ToolSandbox>;
  /** Where a command was judged to run; it runs there, whatever other calls do meanwhile. */
  readonly folder?: string;
  /** Where the path of the call was judged to lead, absolute; it is used as it is. Absent where that does not matter. */
  readonly path?: string;
  /** Folders that nothing is shown of, absolute; absent = there are none. */
  readonly closed?: readonly string[];
  /** Live output, redacted by whoever shows it. No more is read until what it returns has resolved. */
  readonly onOutput: (text: string) => unknown;
  /** Told how a command has ended that was run to its end; absent = nobody wants to know. */
  readonly onEnd?: (end: Pick<ExecResult, 'outcome' | 'exitCode' | 'signal'>) => void;
  /** Puts a file on its way to the chat; resolves with the receipt that the model sees. Absent where no chat is. */
  readonly sendFile?: (file: OutgoingFile) => Promise<string>;
  /** How many bytes a file to the chat may have. */
  readonly mostFileBytes: number;
  /** Asks the person who wrote; absent where nobody can answer. */
  readonly askUser?: (question: string, options: readonly string[]) => Promise<string>;
  /** Another call through the same door; for programs that call tools. The signal ends this call alone, as the run's ends all. */
  readonly call: (call: ToolCall, options?: Abortable) => Promise<ToolAnswer>;
}

export interface ToolOutcome {
  /** What came out of the sandbox or from elsewhere: to the model it is marked as data. Redacted and cut by the door. */
  readonly text: string;
  /** The first of the notes where it only says that all went well, such as an exit code 0. Programs, which read the text, do without. */
  readonly success?: string;
  /** Our own words about it, a line each. They are never cut and stand outside the mark. */
  readonly notes?: readonly string[];
  readonly isError?: boolean;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: what it does, what comes back, and what it cannot do. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Whether a program of execute_code may call it. */
  readonly insideCode: boolean;
  /** What such a program may pass, where that is less than what the model may. */
  readonly inputInsideCode?: z.ZodType<Input>;
  /** Pure. */
  action?(input: Input): Action | undefined;
  /** One line for people who watch: the command, the path. */
  summary(input: Input): string;
  /**
   * From when on a call may have taken effect: with its first command through `exec` or `start`, or never, because it
   * only looks. Absent = from its first moment.
   */
  begins?(input: Input): 'at-once' | 'with-command' | 'never';
  /** A failing command is an outcome; it throws only HermesErrors, whose `model` text the model sees. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** Types a tool by its schema. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool; // the door parses the input by the very schema that types it
}
