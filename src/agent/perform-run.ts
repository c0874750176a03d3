// One run from its first row in the store to its `done`: whatever happens, the sandbox is given back, the history is whole,
// and the outcome is told.

import type { ErrorCode } from '../base/error-codes.ts';
import { errorCodes } from '../base/error-codes.ts';
import { asHermesError } from '../base/errors.ts';
import { mostOfAResult } from './context-size.ts';
import { Conversation } from './conversation.ts';
import { NO_MODEL, runDirectly } from './direct.ts';
import { directCommand } from './direct-command.ts';
import type { RunOutcome } from './events.ts';
import { isLeftForLater } from './left-for-later.ts';
import { Loop } from './loop.ts';
import { promptFacts } from './prompt-facts.ts';
import { type RunContext, record } from './run-context.ts';
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
  const { spending } = run;
  const { store, holder } = parts.world;
  let outcome: RunOutcome;
  try {
    const before = await store.runs.last(session.id);
    if (turn.isResumed) spending.goOn(await store.runs.resume(turn.runId, holder));
    else await store.runs.begin({ id: turn.runId, sessionId: session.id, holder, requester: turn.requester });
    outcome = await new Performance(run).perform(before?.contextTokens ?? null);
  } catch (error) {
    outcome = failed(run, error);
  }
  await run.sandbox.release();
  await logged(run, 'the end of a run was not written down', async () => {
    await store.runs.spend(turn.runId, spending.stored());
    if (!isLeft(outcome, signal)) await store.runs.end(turn.runId, outcome.kind);
  });
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

  constructor(run: RunContext) {
    this.#run = run;
  }

  async perform(contextBefore: number | null): Promise<RunOutcome> {
    const { signal, spending, parts } = this.#run;
    try {
      signal.throwIfAborted();
      const { text, ...how } = await this.#answer(contextBefore);
      const shown = await parts.redactor.redactLong(text);
      return { kind: 'answered', text: shown, usage: spending.usage(), ...how };
    } catch (error) {
      if (signal.aborted) {
        if (isLeftForLater(signal)) return { kind: 'canceled', usage: spending.usage() };
        await this.#close('[Cancelled before this was answered.]');
        return { kind: 'canceled', usage: spending.usage() };
      }
      const outcome = failed(this.#run, error);
      await this.#close(`[This broke off: ${errorCodes[outcome.code].model}]`);
      return outcome;
    }
  }

  async #answer(contextBefore: number | null): Promise<Omit<Answered, 'kind' | 'usage'>> {
    const { parts, session, turn, events } = this.#run;
    const command = turn.isResumed ? undefined : directCommand(turn.text);
    if (command === undefined && !parts.provider) {
      events.push({ type: 'text', delta: NO_MODEL });
      return { text: NO_MODEL };
    }
    const conversation = new Conversation(
      await parts.world.store.turns.history(session.id),
      mostOfAResult(parts.config),
    );
    this.#conversation = conversation;
    if (command !== undefined) return runDirectly(this.#run, conversation, command);
    const frame = { system: systemPrompt(await promptFacts(this.#run)), tools: parts.tools.specs() };
    this.#loop = new Loop(this.#run, conversation, frame);
    if (contextBefore !== null) this.#loop.learn(contextBefore);
    if (turn.isResumed) await this.#loop.callOpen();
    else await record(this.#run, conversation, { role: 'user', text: await userMessage(this.#run) });
    const text = await this.#loop.answer();
    return { text, ...(this.#loop.isStopped ? { isStopped: true } : {}) };
  }

  /** Every message of a person has an answer in the history, even if it is only that there was none. */
  async #close(note: string): Promise<void> {
    const conversation = this.#conversation;
    const last = conversation?.entries.at(-1)?.message;
    if (!conversation || !last) return;
    const isAnswered = last.role === 'assistant' && last.calls.length === 0;
    if (isAnswered) return;
    const partial = this.#loop?.partial ?? '';
    const text = partial === '' ? note : `${partial}\n${note}`;
    await logged(this.#run, 'the end of a run is missing in the history', () =>
      record(this.#run, conversation, { role: 'assistant', text, calls: [] }),
    );
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
