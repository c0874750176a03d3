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
  { world, tools }: Pick<AgentParts, 'world' | 'tools'>,
  { sessionId }: RecoverOptions,
): Promise<readonly CutOffRun[]> {
  const { store, holder } = world;
  const isDead = (run: Run): boolean =>
    run.holder !== holder &&
    (sessionId === undefined ? run.holder.startsWith('gateway-') : run.sessionId === sessionId);
  const summary = (call: ToolCall): string => `${call.name}: ${tools.summary(call)}`;
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
  /** Those that still waited for an approval: they were not run. */
  readonly waited: readonly ToolCall[];
  /** It had been given already, and only its end was not written down. */
  readonly answer?: string;
}

/** Undefined when somebody else has closed it. */
async function closeRun({ runs, turns, approvals }: Repositories, run: Run): Promise<Closed | undefined> {
  if (!(await runs.end(run.id, 'cut-off'))) return undefined;
  if (!run.startedTool) {
    await turns.dropRun(run.id);
    return { known: [], unknown: [], waited: [] };
  }
  const messages = (await turns.ofRun(run.id)).map(({ message }) => message as Message); // as the run wrote it
  const asked = (await approvals.ofRun(run.id)).filter(({ state }) =>
    ['pending', 'closed', 'expired'].includes(state),
  );
  const closed = withWaiting(
    matched(messages),
    asked.map(({ command }) => command),
  );
  const append = (message: Message) => turns.append({ sessionId: run.sessionId, runId: run.id, message });
  const answers = [...closed.waited.map(notRunAnswer), ...closed.unknown.map(unknownAnswer)];
  if (answers.length > 0) await append({ role: 'tool', answers });
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.calls.length === 0) {
    // Notes of the agent to itself stand in brackets; a person has not seen what they are about.
    return /^\[.*\]$/s.test(last.text) ? closed : { ...closed, answer: last.text };
  }
  const text = '[Hermes ended before this was answered. Nothing of it is repeated by itself.]';
  await append({ role: 'assistant', text, calls: [] });
  return closed;
}

function matched(messages: readonly Message[]): Omit<Closed, 'waited'> {
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

/** The question shows the whole of what the call would do: its longest text is in it. */
function withWaiting({ known, unknown }: Omit<Closed, 'waited'>, asked: readonly string[]): Closed {
  const isWaiting = (call: ToolCall): boolean => {
    const text = longestText(call.input);
    return text !== '' && asked.some(command => command.includes(text));
  };
  return { known, unknown: unknown.filter(call => !isWaiting(call)), waited: unknown.filter(isWaiting) };
}

function longestText(input: string): string {
  try {
    const texts = Object.values(JSON.parse(input) as object).filter(value => typeof value === 'string'); // of any JSON
    return texts.toSorted((a, b) => b.length - a.length)[0] ?? '';
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return '';
    throw error;
  }
}

function notRunAnswer({ id, name }: ToolCall): ToolAnswer {
  return { id, name, text: 'Not run: Hermes ended while it waited for an approval.', isError: true };
}

function toTell(
  run: Run,
  { known, unknown, waited, answer }: Closed,
  summary: (call: ToolCall) => string,
): CutOffRun {
  if (answer !== undefined) return { run, mayRunAgain: false, text: answer };
  if (!run.startedTool) {
    return { run, mayRunAgain: true, text: 'I was restarted before I had begun with your message.' };
  }
  const done = known.map(({ call, answer }) => `• ${summary(call)} (${answer.isError ? 'failed' : 'done'})`);
  const bullet = (call: ToolCall): string => `• ${summary(call)}`;
  const open = unknown.map(bullet);
  const lines = [
    'I was restarted while I worked on your message. I do not begin anew by myself, so that nothing happens twice.',
    ...(done.length > 0 ? ['What had ended before:', ...done] : []),
    ...(waited.length > 0 ? ['Not run, because it waited for an approval:', ...waited.map(bullet)] : []),
    ...(open.length > 0 ? ['Unknown whether it took effect:', ...open] : []),
    'Write to me to go on.',
  ];
  return { run, mayRunAgain: false, text: lines.join('\n') };
}
