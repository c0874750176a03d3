// One run while it lasts: what its parts share. Passed on, never global (P3).
import type { Message } from '../providers/provider.ts';
import type { Session } from '../store/sessions.ts';
import type { AgentParts } from './agent-parts.ts';
import type { Conversation } from './conversation.ts';
import type { EventQueue } from './event-queue.ts';
import type { Turn } from './events.ts';
import type { RunSandbox } from './run-sandbox.ts';
import type { Spending } from './spending.ts';
import type { Requested } from './tool-caller.ts';

export interface RunContext {
  readonly parts: AgentParts;
  readonly session: Session;
  readonly turn: Turn;
  /** Ends with the turn's signal, and when nobody listens any more. */
  readonly signal: AbortSignal;
  readonly events: EventQueue;
  readonly spending: Spending;
  readonly sandbox: RunSandbox;
}

/** As the door has to know it. */
export function requestedBy({ session, turn, signal, sandbox, events }: RunContext): Requested {
  return {
    session,
    runId: turn.runId,
    requester: turn.requester,
    signal,
    sandbox: () => sandbox.get(),
    onApproval: event => events.push(event),
  };
}

/** Into the store, then into the view. */
export async function record(
  { parts, session, turn }: RunContext,
  conversation: Conversation,
  given: Message,
): Promise<void> {
  const message = sendable(given);
  const seq = await parts.world.store.turns.append({ sessionId: session.id, runId: turn.runId, message });
  conversation.add({ seq, message });
}

/** The message with its calls, that calls are begun, and what was used: at once, before the first one starts (P10). */
export async function recordCalls(
  { parts, session, turn, spending }: RunContext,
  conversation: Conversation,
  given: Message,
): Promise<void> {
  const message = sendable(given);
  const seq = await parts.world.store.transaction(async ({ runs, turns }) => {
    await runs.startTool(turn.runId, spending.stored());
    return turns.append({ sessionId: session.id, runId: turn.runId, message });
  });
  conversation.add({ seq, message });
}

/** Half a character would make every later request one that servers refuse. */
function sendable(message: Message): Message {
  if (message.role === 'tool') {
    return {
      ...message,
      answers: message.answers.map(each => ({ ...each, text: each.text.toWellFormed() })),
    };
  }
  return { ...message, text: message.text.toWellFormed() };
}
