// One run while it lasts: what its parts share. Passed on, never global (P3).
import type { Message, ToolAnswer } from '../providers/provider.ts';
import type { Session } from '../store/sessions.ts';
import type { AgentParts } from './agent-parts.ts';
import type { Conversation } from './conversation.ts';
import type { EventQueue } from './event-queue.ts';
import type { RunOutcome, Turn, Write } from './events.ts';
import { isLeftForLater } from './left-for-later.ts';
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

/** The run begins in the store, with its first message when that is known already, or goes on. */
export async function recordBegin(
  { parts, session, turn, spending }: RunContext,
  first?: { readonly conversation: Conversation; readonly message: Message },
): Promise<void> {
  const { store, holder } = parts.world;
  const { runId, requester } = turn;
  const message = first && sendable(first.message);
  const { seq, before } = await store.together(async ({ runs, turns }) => {
    if (turn.isResumed) return { before: await runs.resume(runId, holder) };
    await runs.begin({ id: runId, sessionId: session.id, holder, requester });
    return message ? { seq: await turns.append({ sessionId: session.id, runId, message }) } : {};
  });
  spending.goOn(before);
  if (message && seq !== undefined) first.conversation.add({ seq, message });
}

interface End {
  /** Absent = it has none: it stays as a crash would leave it. */
  readonly state: RunOutcome['kind'] | undefined;
  readonly last: Message | undefined;
}

/** How the run ended, for one commit: its last message, what it has used, and its outcome. */
export function endOf({ session, turn, spending }: RunContext, { state, last }: End): Write {
  const message = last && sendable(last);
  const spent = spending.stored();
  return async ({ runs, turns }) => {
    if (message) await turns.append({ sessionId: session.id, runId: turn.runId, message });
    if (state) await runs.end(turn.runId, state, spent);
    else await runs.spend(turn.runId, spent);
  };
}

/** The message with its calls and what was used, before the first one starts: what is cut off can be told from it (P10). */
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

/**
 * What came of a call: from now on it is known. Throws when the gateway stops and the call was cut by that: the next start
 * finds it as a crash would leave it.
 */
export async function recordAnswer(
  { parts, session, turn, signal }: RunContext,
  conversation: Conversation,
  answer: ToolAnswer,
): Promise<void> {
  if (answer.isError && isLeftForLater(signal)) throw signal.reason;
  const message = sendable({ role: 'tool', answers: [answer] });
  const seq = await parts.world.store.together(async ({ begunCalls, turns }) => {
    await begunCalls.settle({ runId: turn.runId, callId: answer.id });
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
