// What a run that a crash or a stop cut off had done, from its messages and from what is known to have begun, and what may
// become of it. Pure.
import { fenced } from '../base/code-fence.ts';
import type { Message, ToolAnswer, ToolCall } from '../providers/provider.ts';
import type { BegunOfRun } from '../store/begun-calls.ts';
import { answersTo } from './conversation.ts';
import { withoutMark } from './data-mark.ts';
import { directCommand } from './direct-command.ts';

export interface KnownCall {
  readonly call: ToolCall;
  readonly answer: ToolAnswer;
}

/** Of all calls of a run. */
export interface CallsOfRun {
  readonly known: readonly KnownCall[];
  /** They had begun, and nobody knows whether they took effect. */
  readonly unknown: readonly ToolCall[];
  readonly notBegun: readonly ToolCall[];
}

export type CutOffDecision =
  /** Nothing has been done: it may be run again as if it had never been. */
  | { readonly kind: 'again' }
  /** The outcome of all that had begun is known: the same run goes on, with what had not begun. */
  | { readonly kind: 'continue'; readonly calls: CallsOfRun }
  /** The answer was there, and only its end was not written down. */
  | { readonly kind: 'answered'; readonly text: string }
  /** Something had begun whose outcome nobody knows. */
  | { readonly kind: 'unknown'; readonly calls: CallsOfRun }
  /** Its history has an end already. */
  | { readonly kind: 'closed' };

export function decideCutOff(messages: readonly Message[], begun: BegunOfRun): CutOffDecision {
  const calls = callsOf(messages, begun);
  const [first] = messages;
  const isDirect = first?.role === 'user' && directCommand(first.text) !== undefined;
  const output = calls.known.at(-1)?.answer;
  if (isDirect && output) return { kind: 'answered', text: fenced(withoutMark(output.text).trimEnd()) };
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.calls.length === 0) {
    // Notes of the agent to itself stand in brackets; a person has not seen what they are about.
    return /^\[.*\]$/s.test(last.text) ? { kind: 'closed' } : { kind: 'answered', text: last.text };
  }
  if (calls.unknown.length > 0) return { kind: 'unknown', calls };
  return calls.known.length === 0 ? { kind: 'again' } : { kind: 'continue', calls };
}

function callsOf(messages: readonly Message[], begun: BegunOfRun): CallsOfRun {
  const known: KnownCall[] = [];
  const unknown: ToolCall[] = [];
  const notBegun: ToolCall[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const answers = answersTo(message.calls, messages.slice(at + 1));
    for (const [index, call] of message.calls.entries()) {
      const answer = answers[index];
      if (answer) known.push({ call, answer });
      else (begun.has(call.id) ? unknown : notBegun).push(call);
    }
  }
  return { known, unknown, notBegun };
}
