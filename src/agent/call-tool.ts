// One tool call through the door, watched: what it is, what it prints and what came of it go out as events. Whatever
// happens, there is an answer, so that the history stays whole.
import type { Abortable } from '../base/abortable.ts';
import { errorCodes } from '../base/error-codes.ts';
import { asHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { ToolAnswer, ToolCall } from '../providers/provider.ts';
import type { OutgoingFile, ToolContext } from '../tools/tool.ts';
import type { Caller } from '../tools/tool-spec.ts';
import { withoutMark } from './data-mark.ts';
import { type RunContext, requestedBy } from './run-context.ts';
import type { CallContext } from './tool-caller.ts';
import { untilAborted } from './until-aborted.ts';

/** How long a cancelled call may take to come to its end. */
const GRACE_MS = 15_000;

const NOT_RUN = 'not run: the run was cancelled before.';
const CANCELED = 'cancelled while it ran. What it had done by then is done; nothing more is known.';
const STUCK =
  'unknown: the run was cancelled, and the call did not end in time. It may still have an effect.';

interface CallOptions extends Abortable {
  /** Absent = the model. */
  readonly caller?: Caller;
  readonly onEnd?: ToolContext['onEnd'];
}

export async function callTool(
  run: RunContext,
  call: ToolCall,
  { signal = run.signal, caller = 'model', onEnd }: CallOptions = {},
): Promise<ToolAnswer> {
  const { parts, events, spending } = run;
  const { clock } = parts.world;
  const { id, name } = call;
  if (signal.aborted) return { id, name, text: NOT_RUN, isError: true };
  spending.callTool();
  const startedAt = clock.monotonic();
  const summary = parts.tools.summary(call);
  events.push({ type: 'tool-started', id, tool: name, summary });
  const output = parts.redactor.longStream();
  const show = async (shown: Promise<string>): Promise<void> => {
    const text = await shown;
    if (text !== '') events.push({ type: 'tool-output', id, text });
  };
  const context = {
    ...contextOf(run, { signal, caller }, text => show(output.push(text))),
    ...(onEnd ? { onEnd } : {}),
  };
  const answer = await answered(run, call, context);
  await show(output.flush());
  const { isError } = answer;
  const text = withoutMark(answer.text);
  events.push({
    type: 'tool-finished',
    id,
    tool: name,
    isError,
    text,
    durationMs: clock.monotonic() - startedAt,
  });
  return answer;
}

/** An answer in any case; its id and name are those of the call. */
async function answered(run: RunContext, call: ToolCall, context: CallContext): Promise<ToolAnswer> {
  const { parts } = run;
  const { id, name } = call;
  try {
    const { text, isError } = await withGrace(run, context.signal, parts.tools.call(call, context));
    return { id, name, text, isError };
  } catch (error) {
    if (context.signal.aborted) return { id, name, text: CANCELED, isError: true };
    const failure = asHermesError(error);
    parts.world.log.error({ run: run.turn.runId, tool: name, error: failure.message }, 'a tool call failed');
    const { forChat } = failure.details;
    const text = typeof forChat === 'string' ? forChat : errorCodes[failure.code].model;
    return { id, name, text, isError: true };
  }
}

/** The call's own end, or, some time after a cancel, the truth that nobody knows it. */
async function withGrace(
  run: RunContext,
  signal: AbortSignal,
  calling: Promise<ToolAnswer>,
): Promise<Pick<ToolAnswer, 'text' | 'isError'>> {
  const { clock } = run.parts.world;
  const stuck = Promise.withResolvers<Pick<ToolAnswer, 'text' | 'isError'>>();
  let timer: { cancel(): void } | undefined;
  const onAbort = (): void => {
    timer = clock.after(GRACE_MS, () => stuck.resolve({ text: STUCK, isError: true }), { keepAlive: true });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([calling, stuck.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    timer?.cancel();
  }
}

function contextOf(
  run: RunContext,
  { signal, caller }: Required<Pick<CallOptions, 'signal' | 'caller'>>,
  onOutput: (text: string) => Promise<void>,
): CallContext {
  const { answer, mostFileBytes } = run.turn;
  return {
    ...requestedBy(run),
    signal,
    caller,
    onOutput,
    mostFileBytes,
    ...(mostFileBytes > 0 ? { sendFile: (file: OutgoingFile) => sendFile(run, signal, file) } : {}),
    ...(answer ? { askUser: asking(run, signal, answer) } : {}),
    call: async (inner, options = {}) => {
      // Inside a program ids are its own; those of events must be unlike all others.
      const own = { ...inner, id: `${inner.id}_${newId()}` };
      const answer = await callTool(run, own, { signal: both(signal, options.signal), caller: 'program' });
      return { ...answer, id: inner.id };
    },
  };
}

function sendFile({ events, parts }: RunContext, signal: AbortSignal, file: OutgoingFile): Promise<string> {
  const { redact } = parts.redactor;
  const { promise, resolve } = Promise.withResolvers<string>();
  const caption = file.caption === undefined ? {} : { caption: redact(file.caption) };
  events.push({ type: 'file', file: { ...file, name: redact(file.name), ...caption }, delivered: resolve });
  return untilAborted(signal, promise);
}

function asking(
  { events, parts }: RunContext,
  signal: AbortSignal,
  answer: NonNullable<ToolContext['askUser']>,
) {
  const { redact } = parts.redactor;
  return (question: string, options: readonly string[]): Promise<string> => {
    const shown = { text: redact(question), options: options.map(redact) };
    events.push({ type: 'question', ...shown });
    return untilAborted(signal, answer(shown.text, shown.options));
  };
}

function both(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}
