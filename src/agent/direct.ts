// Direct mode: a message that starts with `!` is a command of an owner, run through the same door as the model's calls.
// It stands in the history like them, so that a model knows what was done.
import { HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { ToolCall } from '../providers/provider.ts';
import { callTool } from './call-tool.ts';
import type { Conversation } from './conversation.ts';
import { withoutMark } from './data-mark.ts';
import { type RunContext, record, recordCalls } from './run-context.ts';
import { userMessage } from './user-message.ts';

export const NO_MODEL =
  'No model is set up, so I cannot answer yet. The operator sets one with `hermes model set`. Until then owners can run commands in the sandbox of this conversation: `!ls`';

/** The command; undefined when the message is none. */
export function directCommand(text: string): string | undefined {
  const trimmed = text.trimStart();
  return trimmed.startsWith('!') ? trimmed.slice(1).trim() : undefined;
}

/** The output, for the chat. Throws DENIED_PERSON. */
export async function runDirectly(
  run: RunContext,
  conversation: Conversation,
  command: string,
): Promise<string> {
  const { turn, events, signal } = run;
  if (!turn.isOwner)
    throw new HermesError(
      'DENIED_PERSON',
      `${turn.requester} is no owner, and only owners run commands with \`!\`.`,
    );
  if (command === '') return 'Write a command behind the `!`, such as `!ls`.';
  const call: ToolCall = { id: `call_${newId()}`, name: 'terminal', input: JSON.stringify({ command }) };
  await record(run, conversation, { role: 'user', text: await userMessage(run) });
  await recordCalls(run, conversation, { role: 'assistant', text: '', calls: [call] });
  const answer = await callTool(run, call);
  await record(run, conversation, { role: 'tool', answers: [answer] });
  signal.throwIfAborted();
  await record(run, conversation, {
    role: 'assistant',
    text: '[The person has seen the output.]',
    calls: [],
  });
  const text = fenced(withoutMark(answer.text));
  events.push({ type: 'text', delta: text });
  return text;
}

/** In a fence that nothing in it can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
