// One run from its first row in the store to its `done`: whatever happens, the sandbox is given back, the history is whole,
// and the outcome is told.

import type { ErrorCode } from '../base/error-codes.ts';
import { errorCodes } from '../base/error-codes.ts';
import { asHermesError } from '../base/errors.ts';
import type { Message } from '../providers/provider.ts';
import { mostOfAResult } from './context-size.ts';
import { Conversation } from './conversation.ts';
import { NO_MODEL, runDirectly } from './direct.ts';
import { directCommand } from './direct-command.ts';
import type { RunOutcome } from './events.ts';
import { isLeftForLater } from './left-for-later.ts';
import { Loop } from './loop.ts';
import { promptFacts } from './prompt-facts.ts';
import { endOf, type RunContext, record, recordBegin } from './run-context.ts';
import { RunSandbox, type RunSandboxParts } from './run-sandbox.ts';
import { Spending } from './spending.ts';
import { systemPrompt } from './system-prompt.ts';
import { userMessage } from './user-message.ts';

/** Never rejects; the last event is `done`. */
export async function performRun(given: RunSandboxParts): Promise<void> {
  const { parts, events, turn, session, signal } = given;
  const run: RunContext = {
    ...given,
    spending: new Spending(parts.config),
    sandbox: new RunSandbox(given),
  };
  const { store } = parts.world;
  const performance = new Performance(run);
  let outcome: RunOutcome;
  try {
    const before = await store.runs.last(session.id);
    outcome = await performance.perform(before?.contextTokens ?? null);
  } catch (error) {
    outcome = failed(run, error);
  }
  await run.sandbox.release();
  const { last } = performance;
  const state = isLeft(outcome, signal) ? undefined : outcome.kind;
  if (performance.hasBegun) {
    const end = endOf(run, { state, last });
    if (turn.onEnd) turn.onEnd(end);
    else await logged(run, 'the end of a run was not written down', () => store.together(end));
  }
  events.push({ type: 'done', outcome });
}

/** The stop of the gateway has cut it: it stays as a crash would leave it. */
function isLeft({ kind }: RunOutcome, signal: AbortSignal): boolean {
  return kind === 'canceled' && isLeftForLater(signal);
}

type Answered = Extract<RunOutcome, { kind: 'answered' }>;

class Performance {
  readonly #run: RunContext;
  #conversation: Conversation | undefined;
  #loop: Loop | undefined;
  #hasBegun = false;
  #last: Message | undefined;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Whether the store knows of it. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The last message, which is written together with the end of the run. */
  get last(): Message | undefined {
    return this.#last;
  }

  async perform(contextBefore: number | null): Promise<RunOutcome> {
    const { signal, spending, parts } = this.#run;
    try {
      signal.throwIfAborted();
      const { text, ...how } = await this.#answer(contextBefore);
      const shown = await parts.redactor.redactLong(text);
      return { kind: 'answered', text: shown, usage: spending.usage(), ...how };
    } catch (error) {
      if (isLeftForLater(signal)) return { kind: 'canceled', usage: spending.usage() };
      if (!this.#hasBegun) await this.#begin();
      if (signal.aborted) {
        this.#close('[Cancelled before this was answered.]');
        return { kind: 'canceled', usage: spending.usage() };
      }
      const outcome = failed(this.#run, error);
      this.#close(`[This broke off: ${errorCodes[outcome.code].model}]`);
      return outcome;
    }
  }

  async #begin(first?: Parameters<typeof recordBegin>[1]): Promise<void> {
    await recordBegin(this.#run, first);
    this.#hasBegun = true;
  }

  async #answer(contextBefore: number | null): Promise<Omit<Answered, 'kind' | 'usage'>> {
    const { parts, session, turn, events } = this.#run;
    const command = turn.isResumed ? undefined : directCommand(turn.text);
    if (command === undefined && !parts.provider) {
      await this.#begin();
      events.push({ type: 'text', delta: NO_MODEL });
      return { text: NO_MODEL };
    }
    const conversation = new Conversation(
      await parts.world.store.turns.history(session.id),
      mostOfAResult(parts.config),
    );
    this.#conversation = conversation;
    if (command !== undefined) {
      await this.#begin();
      const { last, ...answer } = await runDirectly(this.#run, conversation, command);
      this.#last = last;
      return answer;
    }
    const frame = { system: systemPrompt(await promptFacts(this.#run)), tools: parts.tools.specs() };
    this.#loop = new Loop(this.#run, conversation, frame);
    if (contextBefore !== null) this.#loop.learn(contextBefore);
    await this.#hear(conversation);
    if (turn.isResumed) await this.#loop.callOpen();
    const { text, last } = await this.#loop.answer();
    this.#last = last;
    return { text, ...(this.#loop.isStopped ? { isStopped: true } : {}) };
  }

  /** Files take time and go into a sandbox: the run has begun before. */
  async #hear(conversation: Conversation): Promise<void> {
    const { text, files, isResumed } = this.#run.turn;
    if (isResumed) return this.#begin();
    if (files.length === 0) return this.#begin({ conversation, message: { role: 'user', text } });
    await this.#begin();
    await record(this.#run, conversation, { role: 'user', text: await userMessage(this.#run) });
  }

  /** Every message of a person has an answer in the history, even if it is only that there was none. */
  #close(note: string): void {
    const last = this.#last ?? this.#conversation?.entries.at(-1)?.message;
    if (!last || (last.role === 'assistant' && last.calls.length === 0)) return;
    const partial = this.#loop?.partial ?? '';
    this.#last = { role: 'assistant', text: partial === '' ? note : `${partial}\n${note}`, calls: [] };
  }
}

function failed(
  { parts, turn, session, spending }: RunContext,
  error: unknown,
): Extract<RunOutcome, { kind: 'failed' }> & { readonly code: ErrorCode } {
  const failure = asHermesError(error);
  const { code, message } = failure;
  parts.world.log.error({ run: turn.runId, session: session.id, code, error: message }, 'a run failed');
  return { kind: 'failed', code, text: errorCodes[code].chat, usage: spending.usage() };
}

async function logged(
  { parts, turn }: RunContext,
  what: string,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    parts.world.log.error({ run: turn.runId, error: asHermesError(error).message }, what);
  }
}
