// After a restart: runs that an earlier process life left in the middle. What they had begun is never done again (P10);
// their history is made whole, and the chat can be told what is known and what is not.
import type { Message, ToolAnswer, ToolCall } from '../providers/provider.ts';
import type { Run } from '../store/runs.ts';
import type { Repositories } from '../store/store.ts';
import type { AgentParts } from './agent-parts.ts';
import { answersTo, unknownAnswer } from './conversation.ts';

export interface CutOffRun {
  readonly run: Run;
  /** Nothing was begun: it may be run again, under another id, as if it had never been. */
  readonly mayRunAgain: boolean;
  /** For the chat: what is known, what is unknown, and that nothing is repeated. */
  readonly text: string;
}

export interface RecoverOptions {
  /** All runs of this session that are not this process's; absent = those of earlier gateways, in all sessions. */
  readonly sessionId?: string;
}

export async function recoverRuns(
  { world, tools, redactor }: Pick<AgentParts, 'world' | 'tools' | 'redactor'>,
  { sessionId }: RecoverOptions,
): Promise<readonly CutOffRun[]> {
  const { store, holder } = world;
  const isDead = (run: Run): boolean =>
    run.holder !== holder &&
    (sessionId === undefined ? run.holder.startsWith('gateway-') : run.sessionId === sessionId);
  const summary = (call: ToolCall): string => redactor.redact(`${call.name}: ${tools.summary(call)}`);
  const cutOff: CutOffRun[] = [];
  for (const run of (await store.runs.running()).filter(isDead)) {
    const closed = await store.transaction(repositories => closeRun(repositories, run));
    if (closed) cutOff.push(toTell(run, closed, summary));
  }
  return cutOff;
}

interface Closed {
  /** Calls that have an answer, and those of which nobody knows. */
  readonly known: readonly { readonly call: ToolCall; readonly answer: ToolAnswer }[];
  readonly unknown: readonly ToolCall[];
}

/** Undefined when somebody else has closed it. */
async function closeRun({ runs, turns }: Repositories, run: Run): Promise<Closed | undefined> {
  if (!(await runs.end(run.id, 'cut-off'))) return undefined;
  if (!run.startedTool) {
    await turns.dropRun(run.id);
    return { known: [], unknown: [] };
  }
  const messages = (await turns.ofRun(run.id)).map(({ message }) => message as Message); // as the run wrote it
  const closed = matched(messages);
  const append = (message: Message) => turns.append({ sessionId: run.sessionId, runId: run.id, message });
  if (closed.unknown.length > 0) await append({ role: 'tool', answers: closed.unknown.map(unknownAnswer) });
  const text = '[Hermes ended before this was answered. Nothing of it is repeated by itself.]';
  await append({ role: 'assistant', text, calls: [] });
  return closed;
}

function matched(messages: readonly Message[]): Closed {
  const known: { call: ToolCall; answer: ToolAnswer }[] = [];
  const unknown: ToolCall[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const answers = answersTo(message.calls, messages.slice(at + 1));
    for (const [index, call] of message.calls.entries()) {
      const answer = answers[index];
      if (answer) known.push({ call, answer });
      else unknown.push(call);
    }
  }
  return { known, unknown };
}

function toTell(run: Run, { known, unknown }: Closed, summary: (call: ToolCall) => string): CutOffRun {
  if (!run.startedTool) {
    return { run, mayRunAgain: true, text: 'I was restarted before I had begun with your message.' };
  }
  const done = known.map(({ call, answer }) => `• ${summary(call)} (${answer.isError ? 'failed' : 'done'})`);
  const open = unknown.map(call => `• ${summary(call)}`);
  const lines = [
    'I was restarted while I worked on your message. I do not begin anew by myself, so that nothing happens twice.',
    ...(done.length > 0 ? ['What had ended before:', ...done] : []),
    ...(open.length > 0 ? ['Unknown whether it took effect:', ...open] : []),
    'Write to me to go on.',
  ];
  return { run, mayRunAgain: false, text: lines.join('\n') };
}
