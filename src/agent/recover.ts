// After a restart: runs that an earlier process life left in the middle. A call that had begun is never begun again (P10);
// what had not begun may be. Histories are made whole, and the chat can be told what is known and what is not.
import type { Message, ToolAnswer, ToolCall } from '../providers/provider.ts';
import type { Run } from '../store/runs.ts';
import type { Repositories } from '../store/store.ts';
import type { AgentParts } from './agent-parts.ts';
import { unknownAnswer } from './conversation.ts';
import { type CallsOfRun, type CutOffDecision, decideCutOff } from './cut-off.ts';

export interface CutOffRun {
  readonly run: Run;
  /**
   * `again`: nothing was done, so it may be run under another id as if it had never been. `continue`: it may go on under
   * its own id. `answer` and `report`: it is over, and the text says how.
   */
  readonly next: 'again' | 'continue' | 'answer' | 'report';
  /** For the chat: the answer, or what is known, what is unknown, and that nothing is repeated. */
  readonly text: string;
}

export interface RecoverOptions {
  /** All runs of this session that are not this process's, none of which goes on; absent = those of earlier gateways, in all sessions. */
  readonly sessionId?: string;
}

export async function recoverRuns(
  { world, tools }: Pick<AgentParts, 'world' | 'tools'>,
  { sessionId }: RecoverOptions,
): Promise<readonly CutOffRun[]> {
  const { store, holder } = world;
  const isDead = (run: Run): boolean =>
    run.holder !== holder &&
    (sessionId === undefined ? run.holder.startsWith('gateway-') : run.sessionId === sessionId);
  const goesOn = sessionId === undefined;
  const summary = (call: ToolCall): string => `${call.name}: ${tools.summary(call)}`;
  const cutOff: CutOffRun[] = [];
  for (const run of (await store.runs.running()).filter(isDead)) {
    const decision = await store.transaction(repositories => closeRun(repositories, run, goesOn));
    if (decision) cutOff.push(toTell(run, decision, { goesOn, summary }));
  }
  return cutOff;
}

/** Undefined when somebody else has closed it. */
async function closeRun(
  { runs, turns, begunCalls }: Repositories,
  run: Run,
  goesOn: boolean,
): Promise<CutOffDecision | undefined> {
  if (!(await runs.end(run.id, 'cut-off'))) return undefined;
  const messages = (await turns.ofRun(run.id)).map(({ message }) => message as Message); // as the run wrote it
  const decision = decideCutOff(messages, await begunCalls.ofRun(run.id));
  if (decision.kind === 'again') {
    await turns.dropRun(run.id);
    await runs.forgetTools(run.id);
  }
  if (decision.kind !== 'unknown' && (decision.kind !== 'continue' || goesOn)) return decision;
  const { unknown, notBegun } = decision.calls;
  const append = (message: Message) => turns.append({ sessionId: run.sessionId, runId: run.id, message });
  const answers = [...notBegun.map(notBegunAnswer), ...unknown.map(unknownAnswer)];
  if (answers.length > 0) await append({ role: 'tool', answers });
  const text = '[Hermes ended before this was answered. Nothing of it is repeated by itself.]';
  await append({ role: 'assistant', text, calls: [] });
  return decision;
}

function notBegunAnswer({ id, name }: ToolCall): ToolAnswer {
  return { id, name, text: 'Not run: Hermes ended before it began.', isError: true };
}

const RESTARTED =
  'I was restarted while I worked on your message. I do not start over by myself, so that nothing happens twice.';

interface Telling {
  readonly goesOn: boolean;
  readonly summary: (call: ToolCall) => string;
}

function toTell(run: Run, decision: CutOffDecision, { goesOn, summary }: Telling): CutOffRun {
  switch (decision.kind) {
    case 'again':
      return { run, next: 'again', text: 'I was restarted before I had begun with your message.' };
    case 'answered':
      return { run, next: 'answer', text: decision.text };
    case 'closed':
      return { run, next: 'report', text: `${RESTARTED}\nWrite to me to go on.` };
    default: {
      const next = decision.kind === 'continue' && goesOn ? 'continue' : 'report';
      return { run, next, text: reportOf(decision.calls, summary) };
    }
  }
}

function reportOf({ known, unknown, notBegun }: CallsOfRun, summary: (call: ToolCall) => string): string {
  const bullet = (call: ToolCall): string => `• ${summary(call)}`;
  const done = known.map(({ call, answer }) => `${bullet(call)} (${answer.isError ? 'failed' : 'done'})`);
  const lines = [
    RESTARTED,
    ...(done.length > 0 ? ['What had ended before:', ...done] : []),
    ...(notBegun.length > 0 ? ['Not run:', ...notBegun.map(bullet)] : []),
    ...(unknown.length > 0 ? ['Unknown whether it took effect:', ...unknown.map(bullet)] : []),
    'Write to me to go on.',
  ];
  return lines.join('\n');
}
