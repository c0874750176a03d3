// What became of a run that a crash kept from being answered. What it had started is never done again (P10).
import type { Message } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { CutOff } from './parts.ts';

const NOT_KNOWN =
  'I was restarted while I worked on your message. I do not begin anew by myself, so that nothing happens twice. Write to me to go on.';
const ENDED =
  'I was restarted after your message had been dealt with, and what I had to say about it is lost.';

/** What to tell the chat; undefined when it had begun nothing, so that it may be run again. */
export async function fateOf(
  { runs, turns }: Pick<Store, 'runs' | 'turns'>,
  runId: string,
  cutOff: ReadonlyMap<string, CutOff>,
): Promise<string | undefined> {
  const told = cutOff.get(runId);
  if (told) return told.mayRunAgain ? undefined : told.text;
  const run = await runs.find(runId);
  // The agent had not heard of it yet.
  if (!run) return undefined;
  // An earlier start has closed it, and died before the chat was told.
  if (run.state === 'cut-off') return run.startedTool ? NOT_KNOWN : undefined;
  const messages = (await turns.ofRun(runId)).map(({ message }) => message as Message); // as the agent wrote it
  // Interrupted before the conversation had it.
  if (run.state === 'canceled' && messages.length === 0) return undefined;
  return (run.state === 'answered' ? answerIn(messages) : undefined) ?? ENDED;
}

/** The answer was there already; only the crash kept it from the chat. Notes of the agent to itself stand in brackets. */
function answerIn(messages: readonly Message[]): string | undefined {
  const said = messages.findLast(({ role }) => role === 'assistant');
  if (said?.role === 'assistant' && said.text !== '' && !/^\[.*\]$/s.test(said.text)) return said.text;
  const done = messages.findLast(({ role }) => role === 'tool');
  return done?.role === 'tool' ? done.answers.map(({ text }) => text).join('\n') : undefined;
}
