// The one door: whatever the model, a program of it or a person does in a session's sandbox goes through here. Checked, asked
// about where it could do harm, run, redacted, cut, recorded. Whatever a call comes to, there is an answer that says so.
import { errorCodes } from '../base/error-codes.ts';
import { asHermesError, HermesError, isHermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { redactedStart } from '../base/redact/redacted-start.ts';
import type { ToolAnswer, ToolCall, ToolSpec } from '../providers/provider.ts';
import type { Audit } from '../store/audit.ts';
import type { BegunCalls } from '../store/begun-calls.ts';
import type { Tool, ToolOutcome, ToolSandbox } from '../tools/tool.ts';
import { type Caller, toolSpecs } from '../tools/tool-spec.ts';
import { answerText } from './answer-text.ts';
import { auditedInput } from './audited-input.ts';
import type { Deed, JudgedPlace } from './deed.ts';
import { markingSandbox } from './marking-sandbox.ts';
import { type PassageParts, passage } from './passage.ts';
import { type ReadInput, readInput } from './read-input.ts';
import type { CallContext, Requested, ToolCaller } from './tool-caller.ts';

export interface DoorParts extends PassageParts {
  readonly tools: readonly Tool[];
  readonly audit: Audit;
  readonly begunCalls: Pick<BegunCalls, 'mark'>;
  readonly log: Log;
  /** For what may be long. */
  readonly redactLong: (text: string) => Promise<string>;
}

/** An outcome, and in a word what the audit says of it. */
interface Ended extends ToolOutcome {
  readonly audited: string;
}

export class ToolDoor implements ToolCaller {
  readonly #parts: DoorParts;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #specs: Readonly<Record<Caller, readonly ToolSpec[]>>;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#tools = new Map(parts.tools.map(tool => [tool.name, tool]));
    this.#specs = { model: toolSpecs(parts.tools, 'model'), program: toolSpecs(parts.tools, 'program') };
  }

  specs(caller: Caller = 'model'): readonly ToolSpec[] {
    return this.#specs[caller];
  }

  /** Redacted, and one line. */
  summary(call: ToolCall): string {
    const text = this.#subject(call).replace(/\s*\n\s*/g, ' ⏎ ');
    return text.length > LONGEST_SUMMARY ? `${text.slice(0, LONGEST_SUMMARY)}…` : text;
  }

  #subject(call: ToolCall): string {
    const read = readInput(call, this.#tools, 'model');
    const text = read.kind === 'call' ? read.tool.summary(read.input) : '(input that does not fit)';
    return redactedStart(text, this.#parts.redact);
  }

  /** Never rejects. */
  async call(call: ToolCall, context: CallContext): Promise<ToolAnswer> {
    const { redactLong: redact } = this.#parts;
    const { id, name } = call;
    let used: ToolSandbox | undefined;
    const sandbox = async (): Promise<ToolSandbox> => {
      used = await context.sandbox();
      return used;
    };
    const ended = await this.#ended(call, { ...context, sandbox });
    const notices = used?.takeNotices?.() ?? [];
    const unrecorded = await this.#record(call, context, {
      audited: ended.audited,
      sandboxId: used?.sandboxId,
    });
    const outcome = { ...ended, notes: [...(ended.notes ?? []), ...notices, ...unrecorded] };
    const text = await answerText(outcome, { tool: name, caller: context.caller ?? 'model', redact });
    return { id, name, text, isError: ended.isError ?? false };
  }

  async perform<T>({ name, subject, action, work }: Deed<T>, context: Requested): Promise<T> {
    const { redact } = this.#parts;
    const sandbox = await context.sandbox();
    const record = (audited: string): Promise<readonly string[]> =>
      this.#append(`${name}: ${redact(subject)}`, context, { audited, sandboxId: sandbox.sandboxId });
    try {
      const passed = action ? await passage(this.#parts, { name, action }, context) : ANYWHERE;
      if (passed.kind === 'denied') throw new HermesError('DENIED_ACTION', `Not done: ${passed.reason}`);
      const result = await work(sandbox, passed.place);
      await record('done');
      return result;
    } catch (error) {
      await record(context.signal.aborted ? 'canceled' : auditedFailure(error));
      throw error;
    }
  }

  async #ended(call: ToolCall, context: CallContext): Promise<Ended> {
    const { signal, caller = 'model' } = context;
    let isUnderWay = false;
    try {
      const read = readInput(call, this.#tools, caller);
      if (read.kind === 'refused') return failed('refused', read.reason);
      signal.throwIfAborted();
      const action = read.tool.action?.(read.input);
      const passed = action
        ? await passage(this.#parts, { name: read.tool.name, action }, context)
        : ANYWHERE;
      if (passed.kind === 'denied') return failed('denied', `Not run: ${passed.reason}`, DENIED);
      const begun = await this.#begin(read, call, context);
      isUnderWay = true;
      const outcome = await read.tool.run(read.input, { ...context, ...begun, ...passed.place });
      return { ...outcome, audited: outcome.isError ? 'failed' : 'done' };
    } catch (error) {
      if (signal.aborted) return failed('canceled', isUnderWay ? CANCELED : NOT_BEGUN);
      return this.#failure(call, error, context);
    }
  }

  /**
   * Written down at once, or with the first command of the call. What a program calls belongs to the call that runs the
   * program.
   */
  async #begin(
    { tool, input }: Extract<ReadInput, { kind: 'call' }>,
    { id }: ToolCall,
    { caller = 'model', runId, sandbox }: CallContext,
  ): Promise<Partial<Pick<CallContext, 'sandbox'>>> {
    const begins = tool.begins?.(input) ?? 'at-once';
    if (caller !== 'model' || begins === 'never') return {};
    const call = { runId, callId: id };
    if (begins === 'with-command') return { sandbox: async () => markingSandbox(await sandbox(), call) };
    await this.#parts.begunCalls.mark(call);
    return {};
  }

  async #failure({ name }: ToolCall, error: unknown, context: CallContext): Promise<Ended> {
    if (!isHermesError(error)) {
      const { log } = this.#parts;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error({ tool: name, run: context.runId, error: text }, 'a tool failed unexpectedly');
      return failed('BUG_UNEXPECTED', errorCodes.BUG_UNEXPECTED.model);
    }
    const { model } = errorCodes[error.code];
    // The model is told that the operator has to act; what it is stands in the log.
    if (!isForModels(error)) {
      const { log } = this.#parts;
      log.error({ tool: name, run: context.runId, error: error.message }, 'a tool failed');
    }
    const lost = isHermesError(error, 'SANDBOX_GONE') ? await this.#afterLoss(context) : [];
    return failed(error.code, model, ...(isForModels(error) ? [error.message] : []), ...lost);
  }

  /** A lost sandbox is found again or made anew by a command; the next call shall find one, and this one tell of it. */
  async #afterLoss({ sandbox, runId }: CallContext): Promise<readonly string[]> {
    try {
      const held = await sandbox();
      const first = await held.exec(':');
      return first.outcome === 'sandbox-lost' ? (await held.exec(':')).notices : first.notices;
    } catch (error) {
      if (!isHermesError(error)) throw error;
      this.#parts.log.warn({ run: runId, error: error.message }, 'a lost sandbox could not be had again');
      return [errorCodes[error.code].model];
    }
  }

  async #record(call: ToolCall, context: CallContext, ended: Recorded): Promise<readonly string[]> {
    const details = { call: call.id, ...(await auditedInput(call.input, this.#parts.redactLong)) };
    return this.#append(`${call.name}: ${this.#subject(call)}`, context, ended, details);
  }

  /** What cannot be written down changes nothing about what has been done; the model is told. */
  async #append(
    subject: string,
    { requester, session, runId }: Requested,
    { audited, sandboxId }: Recorded,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly string[]> {
    const { audit, log } = this.#parts;
    try {
      await audit.append({
        actor: requester,
        sessionId: session.id,
        ...(sandboxId === undefined ? {} : { sandboxId }),
        action: 'tool',
        subject,
        outcome: audited,
        details: { run: runId, ...details },
      });
      return [];
    } catch (error) {
      log.error({ run: runId, error: String(error) }, 'a tool call could not be recorded in the audit');
      return ['This call could not be recorded in the audit.'];
    }
  }
}

interface Recorded {
  readonly audited: string;
  readonly sandboxId: string | undefined;
}

const LONGEST_SUMMARY = 300;

/** Of what does nothing in a sandbox that could hurt. */
const ANYWHERE: { readonly kind: 'go'; readonly place: JudgedPlace } = { kind: 'go', place: {} };

const DENIED = 'Do not try to reach the same in another way; say what was denied, or go on without it.';
const NOT_BEGUN = 'Canceled before it began; nothing was done.';
const CANCELED = 'Canceled while it was under way; what it had done by then is not undone.';

/** What only an operator can act on stays with the operator. */
function isForModels({ code }: HermesError): boolean {
  return errorCodes[code].actor === 'user' && code !== 'USAGE_HOST_FILE';
}

function auditedFailure(error: unknown): string {
  const { code } = asHermesError(error);
  return code === 'DENIED_ACTION' ? 'denied' : code;
}

function failed(audited: string, ...notes: readonly string[]): Ended {
  return { text: '', notes, isError: true, audited };
}
