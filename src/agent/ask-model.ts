// One question to the model, its answer passed on while it is written.
import { newId } from '../base/ids.ts';
import type { ModelEvent, ModelRequest, ToolCall } from '../providers/provider.ts';
import type { RunContext } from './run-context.ts';

/** What servers take. */
const LONGEST_NAME = 64;

/** Grows while the model writes; when that breaks off, it holds what had come. */
export interface Answer {
  /** Goes out before its first word, so that it is told from what was said before. */
  readonly lead: string;
  text: string;
  readonly calls: ToolCall[];
  reason: Extract<ModelEvent, { type: 'end' }>['reason'] | undefined;
  inputTokens: number;
}

export function newAnswer(lead = ''): Answer {
  return { lead, text: '', calls: [], reason: undefined, inputTokens: 0 };
}

export async function askModel(run: RunContext, request: ModelRequest, answer: Answer): Promise<void> {
  const { parts, events, signal, spending } = run;
  const { provider, redactor } = parts;
  if (!provider) return;
  const prose = redactor.prose();
  let lead = answer.lead;
  const say = (delta: string): void => {
    if (delta === '') return;
    events.push({ type: 'text', delta: lead + delta });
    lead = '';
  };
  spending.callModel();
  try {
    for await (const event of provider.stream(request, { signal })) {
      switch (event.type) {
        case 'text':
          answer.text += event.delta;
          say(prose.push(event.delta));
          break;
        case 'call':
          answer.calls.push(repeatable(event.call, answer.calls));
          break;
        case 'waiting':
          events.push({ type: 'notice', text: waitingText(event), about: 'retry' });
          break;
        case 'end':
          answer.reason = event.reason;
          answer.inputTokens = event.usage.inputTokens;
          spending.use(event.usage, 'conversation');
      }
    }
  } finally {
    say(prose.flush());
  }
  signal.throwIfAborted();
}

/** A text without streaming, tools or history; for what the loop itself wants to know. */
export async function askBesides(
  { parts, signal, spending }: RunContext,
  request: ModelRequest,
): Promise<string> {
  let text = '';
  spending.callModel();
  for await (const event of parts.provider?.stream(request, { signal }) ?? []) {
    if (event.type === 'text') text += event.delta;
    else if (event.type === 'end') spending.use(event.usage, 'else');
  }
  signal.throwIfAborted();
  return text;
}

/** The call as it can be shown to any server again: some give no ids, or the same to all; models invent names. */
function repeatable({ id, name, input }: ToolCall, others: readonly ToolCall[]): ToolCall {
  const isTaken = id === '' || others.some(other => other.id === id);
  return {
    id: isTaken ? `call_${newId()}` : id,
    name: name.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed',
    input: input.toWellFormed(),
  };
}

function waitingText({ reason, seconds }: Extract<ModelEvent, { type: 'waiting' }>): string {
  return `${reason.replace(/\.?$/, '.')} Trying again in ${Math.ceil(seconds)} s.`;
}
