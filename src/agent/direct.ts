// Direct mode: a message that starts with `!` is a command of an owner, run through the same door as the model's calls.
// It stands in the history like them, so that a model knows what was done.
import { fenced } from '../base/code-fence.ts';
import { HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { Message, ToolCall } from '../providers/provider.ts';
import { callTool } from './call-tool.ts';
import type { Conversation } from './conversation.ts';
import { withoutMark } from './data-mark.ts';
import type { CommandEnd } from './events.ts';
import { receiveDeed } from './receive-deed.ts';
import { type RunContext, record, recordAnswer, recordCalls, requestedBy } from './run-context.ts';
import { userMessage } from './user-message.ts';

export const NO_MODEL =
  'No model is set up, so I cannot answer yet. The operator sets one with `hermes model set`. Until then owners can run commands in the sandbox of this conversation: `!ls`';

/** Input up to there stands in the call itself, where it is judged and shown; more of it goes through a file. */
const MOST_INLINE_BYTES = 32 * 1024;

const SEEN: Message = { role: 'assistant', text: '[The person has seen the output.]', calls: [] };

export interface DirectAnswer {
  /** The output, for the chat. */
  readonly text: string;
  readonly command: CommandEnd;
  /** Of the history; still to be recorded. */
  readonly last?: Message;
}

/** Throws DENIED_PERSON, and what stands in the way of a sandbox. */
export async function runDirectly(
  run: RunContext,
  conversation: Conversation,
  command: string,
): Promise<DirectAnswer> {
  const { turn, events, signal } = run;
  if (!turn.isOwner)
    throw new HermesError(
      'DENIED_PERSON',
      `${turn.requester} is no owner, and only owners run commands with \`!\`.`,
    );
  if (command === '')
    return { text: 'Write a command behind the `!`, such as `!ls`.', command: { outcome: 'not-run' } };
  await record(run, conversation, { role: 'user', text: await userMessage(run) });
  // Without a sandbox there is no call that could fail: the run itself does, with the whole reason.
  await run.sandbox.get();
  const input = JSON.stringify(await inputOf(run, command));
  const call: ToolCall = { id: `call_${newId()}`, name: 'terminal', input };
  await recordCalls(run, conversation, { role: 'assistant', text: '', calls: [call] });
  let end: CommandEnd = { outcome: 'not-run' };
  const onEnd = (ended: CommandEnd): void => {
    end = ended;
  };
  const answer = await callTool(run, call, { onEnd });
  await recordAnswer(run, conversation, answer);
  signal.throwIfAborted();
  const text = fenced(withoutMark(answer.text).trimEnd());
  events.push({ type: 'text', delta: text });
  return { text, command: end, last: SEEN };
}

/** What came with the message is what the command reads, and never a part of it. */
async function inputOf(
  run: RunContext,
  command: string,
): Promise<{ readonly command: string; readonly stdin?: string }> {
  const { stdin } = run.turn;
  if (stdin === undefined) return { command };
  const text = stdin.length <= MOST_INLINE_BYTES ? textOf(stdin) : undefined;
  if (text !== undefined) return { command, stdin: text };
  const deed = receiveDeed('stdin.bin', async () => stdin);
  const { path } = await run.parts.tools.perform(deed, requestedBy(run));
  return { command: `{\n${command}\n} < ${shellQuote(path)}` };
}

/** Undefined when the bytes are no text that comes out again as the same bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}
