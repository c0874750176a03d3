// What the loop needs of the door that every tool call passes. ToolDoor in door.ts fulfils it.
import type { ToolAnswer, ToolCall, ToolSpec } from '../providers/provider.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Caller } from '../tools/tool-spec.ts';
import type { Deed } from './deed.ts';
import type { AgentEvent } from './events.ts';

export type ApprovalEvent = Extract<AgentEvent, { type: 'approval-asked' | 'approval-settled' }>;

/** Whoever wants something done in a session's sandbox, and where. */
export interface Requested
  extends Pick<ToolContext, 'session' | 'runId' | 'requester' | 'signal' | 'sandbox'> {
  /** Hears when a person has to decide, and what came of it; redacted. */
  readonly onApproval?: (event: ApprovalEvent) => void;
}

/** The tool's context, and what is the door's alone. */
export interface CallContext extends ToolContext, Requested {
  /** Absent = the model. A program gets text without the mark of data, and may pass less. */
  readonly caller?: Caller;
}

export interface ToolCaller {
  /** What the model is told about the tools that are there. */
  specs(): readonly ToolSpec[];
  /** One line for people who watch: the command, the path. Never throws, whatever the model wrote. */
  summary(call: ToolCall): string;
  /**
   * Checks the input, asks where something could do harm, runs, redacts and records. A failing or refused call is an
   * answer; so is a cancelled one.
   */
  call(call: ToolCall, context: CallContext): Promise<ToolAnswer>;
  /** The same for what a person does without the model. Throws DENIED_ACTION, and what the work throws. */
  perform<T>(deed: Deed<T>, context: Requested): Promise<T>;
}
