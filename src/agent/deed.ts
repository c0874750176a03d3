// What a person does in the sandbox of a session without the model: `/get`, a file over the page, a line in its terminal.
// It goes through the same door as a call of the model, with the person as the one who asks for it (P17).
import { newId } from '../base/ids.ts';
import type { Session } from '../store/sessions.ts';
import type { Action, ToolSandbox } from '../tools/tool.ts';
import type { AgentParts } from './agent-parts.ts';
import type { ApprovalEvent, ToolCaller } from './tool-caller.ts';

/** Where the deed was judged to happen; it happens there, whatever else changes meanwhile. */
export interface JudgedPlace {
  /** Where a command runs; absent = wherever it was told to. */
  readonly folder?: string;
  /** Where the path leads, absolute; absent where that does not matter. */
  readonly path?: string;
  /** Folders below it that nothing is shown of, absolute. */
  readonly closed?: readonly string[];
}

export interface Deed<T> {
  /** As it stands in questions and in the audit, such as `/get`. */
  readonly name: string;
  /** One line for the audit: the command, the path. */
  readonly subject: string;
  /** Absent = nothing but a look at what Hermes itself keeps there. */
  readonly action?: Action;
  readonly work: (sandbox: ToolSandbox, place: JudgedPlace) => Promise<T>;
}

export interface Doer {
  /** Such as `telegram:123`. */
  readonly requester: string;
  readonly signal: AbortSignal;
  /** Hears when an owner has to decide, and what came of it; redacted. */
  readonly onApproval?: (event: ApprovalEvent) => void;
}

export interface DeedParts {
  readonly door: Pick<ToolCaller, 'perform'>;
  /** Who gives sandboxes; SessionSandboxes fits. */
  readonly sandboxes: AgentParts['sandboxes'];
}

/** Throws DENIED_ACTION when it may not be done, and what stands in the way of the sandbox and the work. */
export type Perform = <T>(session: Session, deed: Deed<T>, doer: Doer) => Promise<T>;

export function performing({ door, sandboxes }: DeedParts): Perform {
  return async (session, deed, { requester, signal, onApproval }) => {
    // An approval belongs to a run, and a run is known by the lease that it holds.
    const runId = `deed-${newId()}`;
    const lease = await sandboxes.lease(session, { purpose: runId, actor: requester, signal });
    try {
      return await door.perform(deed, {
        ...{ session, runId, requester, signal, sandbox: async () => lease },
        ...(onApproval ? { onApproval } : {}),
      });
    } finally {
      await lease.release();
    }
  };
}
