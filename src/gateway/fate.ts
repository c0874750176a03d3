// What becomes of a run that a crash or a stop kept from being answered. What had begun is never done again (P10).
import { decideCutOff } from '../agent/cut-off.ts';
import type { Message } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { CutOff } from './parts.ts';

const NOT_KNOWN =
  'I was restarted while I worked on your message. I do not start over by myself, so that nothing happens twice. Write to me to go on.';
const ENDED =
  'I was restarted after your message had been dealt with, and what I had to say about it is lost.';

export type Fate =
  /** Its messages wait: for any run, or for the same one to go on. */
  | { readonly kind: 'more'; readonly next: 'again' | 'continue' }
  /** It is over; for the chat. */
  | { readonly kind: 'over'; readonly text: string; readonly isReport: boolean };

const AGAIN: Fate = { kind: 'more', next: 'again' };
const report = (text: string): Fate => ({ kind: 'over', text, isReport: true });
const answer = (text: string): Fate => ({ kind: 'over', text, isReport: false });

export async function fateOf(
  { runs, turns, begunCalls }: Pick<Store, 'runs' | 'turns' | 'begunCalls'>,
  runId: string,
  cutOff: ReadonlyMap<string, CutOff>,
): Promise<Fate> {
  const told = cutOff.get(runId);
  if (told?.next === 'again' || told?.next === 'continue') return { kind: 'more', next: told.next };
  if (told) return told.next === 'answer' ? answer(told.text) : report(told.text);
  const run = await runs.find(runId);
  // The agent had not heard of it yet.
  if (!run) return AGAIN;
  const messages = (await turns.ofRun(runId)).map(({ message }) => message as Message); // as the agent wrote it
  // An earlier start has closed it, and died before the chat was told.
  if (run.state === 'cut-off') {
    const decision = decideCutOff(messages, await begunCalls.ofRun(runId));
    if (decision.kind === 'continue') return { kind: 'more', next: 'continue' };
    if (decision.kind === 'answered') return answer(decision.text);
    return decision.kind === 'again' && !run.startedTool ? AGAIN : report(NOT_KNOWN);
  }
  // Interrupted before the conversation had it.
  if (run.state === 'canceled' && messages.length === 0) return AGAIN;
  const said = run.state === 'answered' ? answerIn(messages) : undefined;
  return said === undefined ? report(ENDED) : answer(said);
}

/** The answer was there already; only the crash kept it from the chat. Notes of the agent to itself stand in brackets. */
function answerIn(messages: readonly Message[]): string | undefined {
  const said = messages.findLast(({ role }) => role === 'assistant');
  if (said?.role === 'assistant' && said.text !== '' && !/^\[.*\]$/s.test(said.text)) return said.text;
  const done = messages.findLast(({ role }) => role === 'tool');
  return done?.role === 'tool' ? done.answers.map(({ text }) => text).join('\n') : undefined;
}
