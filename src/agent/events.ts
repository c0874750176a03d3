// What a run tells whoever shows it: a stream without any platform in it. Text has been redacted.

import type { Question } from '../approvals/question.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { Repositories } from '../store/store.ts';
import type { OutgoingFile } from '../tools/tool.ts';

export type AgentEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'tool-started'; readonly id: string; readonly tool: string; readonly summary: string }
  | { readonly type: 'tool-output'; readonly id: string; readonly text: string }
  | {
      readonly type: 'tool-finished';
      readonly id: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly text: string;
      readonly durationMs: number;
    }
  /** Somebody has to decide; `approval-settled` follows whatever comes of it. */
  | { readonly type: 'approval-asked'; readonly question: Question }
  | {
      readonly type: 'approval-settled';
      readonly id: string;
      readonly approved: boolean;
      readonly text: string;
    }
  /** The model asks the person who wrote. */
  | { readonly type: 'question'; readonly text: string; readonly options: readonly string[] }
  | { readonly type: 'file'; readonly file: OutgoingFile; readonly delivered: (receipt: string) => void }
  /** What the person should know and the model did not say: waiting for a place, a reset sandbox, a retry. */
  | { readonly type: 'notice'; readonly text: string; readonly about?: 'retry' }
  /** The run needs a sandbox and cannot have one. */
  | ({ readonly type: 'no-sandbox' } & NoSandbox)
  /** Always the last one. */
  | { readonly type: 'done'; readonly outcome: RunOutcome };

/** What is written in a commit that others share. It may be called twice and has an effect once, so it does nothing else. */
export type Write = (repositories: Repositories) => Promise<void>;

export interface NoSandbox {
  readonly code: ErrorCode;
  /** For owners; redacted. */
  readonly reason: string;
  /** What anybody in the chat may read and can do about it; absent = only owners can do something. */
  readonly forChat?: string;
}

export type RunOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly usage: RunUsage;
      /** The turns were used up before the model was done; absent = it was. */
      readonly isStopped?: true;
      /** How a command behind `!` ended; absent = the model has answered. */
      readonly command?: CommandEnd;
    }
  | { readonly kind: 'canceled'; readonly usage: RunUsage }
  /** In words for the chat; `code` is that of the error. */
  | { readonly kind: 'failed'; readonly code: string; readonly text: string; readonly usage: RunUsage };

/** `not-run`: it was denied or refused, and the text says why. */
export type CommandEnd =
  | Pick<ExecResult, 'outcome' | 'exitCode' | 'signal'>
  | { readonly outcome: 'not-run' };

export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** One message to the agent. */
export interface Turn {
  readonly runId: string;
  /** The run of that id goes on that a restart cut off: its message is in the history. */
  readonly isResumed?: true;
  readonly text: string;
  /** Files that came with it; they are put into the inbox of the workspace before the model is asked. */
  readonly files: readonly IncomingFile[];
  /** What a command behind `!` reads from its standard input; nothing else reads it. Absent = nothing. */
  readonly stdin?: Uint8Array;
  /** Who wrote, such as `telegram:123`. */
  readonly requester: string;
  readonly isOwner: boolean;
  readonly signal: AbortSignal;
  /** Answers `ask_user`; absent where nobody can. */
  readonly answer?: (question: string, options: readonly string[]) => Promise<string>;
  /** What else the person has written since; asked for before each question to the model. Absent = nothing ever. */
  readonly more?: () => Promise<readonly string[]>;
  /** Whether files can be delivered, and how large they may be; 0 = they cannot. */
  readonly mostFileBytes: number;
  /**
   * Takes the end of the run (its last message, usage and outcome), which the caller then writes together with the
   * answer. Called before `done`, at most once: not for a run that could not begin in the store. Absent = the run writes it.
   */
  readonly onEnd?: (end: Write) => void;
}

export interface IncomingFile {
  readonly name: string;
  /** Fetched when it is needed, and not before. */
  readonly bytes: () => Promise<Uint8Array>;
}
