// The loop between model and tools, for one message: the model is asked, its calls are run, and it is asked again, until
// it answers without calls or its turns are used up.
import { isHermesError } from '../base/errors.ts';
import type { Message, ModelRequest, ToolCall } from '../providers/provider.ts';
import { type Answer, askModel, newAnswer } from './ask-model.ts';
import { inGroups } from './call-order.ts';
import { callTool } from './call-tool.ts';
import { Compactor } from './compact.ts';
import type { Conversation } from './conversation.ts';
import { type RunContext, record, recordAnswer, recordCalls } from './run-context.ts';

const LAST_TURN = 'This is your last turn for this message: answer now, without calling tools.';

const NO_ANSWER = '[No answer.]';
const OUT_OF_TURNS = '[Stopped here: the turns for this message are used up. The person can let me go on.]';

const NOTICES = {
  length: 'The answer was cut: it had reached the length that the model may write.',
  refused: 'The model refused to answer.',
  empty: 'The model ended without an answer.',
} as const;

export class Loop {
  readonly #run: RunContext;
  readonly #conversation: Conversation;
  readonly #frame: Pick<ModelRequest, 'system' | 'tools'>;
  readonly #compactor: Compactor;
  /** The one that is being written. */
  #answer = newAnswer();
  #hasSpoken = false;
  #isStopped = false;

  constructor(run: RunContext, conversation: Conversation, frame: Pick<ModelRequest, 'system' | 'tools'>) {
    this.#run = run;
    this.#conversation = conversation;
    this.#frame = frame;
    this.#compactor = new Compactor(run, conversation, frame);
  }

  /** What the model had written when it broke off, and nobody has recorded. */
  get partial(): string {
    return this.#answer.text;
  }

  /** Whether the turns were used up before the model was done. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** What the server counted last for what the conversation is now. */
  learn(contextTokens: number): void {
    this.#compactor.gauge.learn(this.#compactor.guess(), contextTokens);
  }

  /** Of a run that goes on after a restart: what had not begun by then. */
  async callOpen(): Promise<void> {
    await this.#callAll(this.#conversation.openCalls());
  }

  /** The text of the last answer, and the last message of the history where it has still to be recorded. */
  async answer(): Promise<{ readonly text: string; readonly last?: Message }> {
    const { parts, events } = this.#run;
    const most = parts.config.get('agent.max_turns');
    for (let turn = 1; ; turn++) {
      await this.#takeMore();
      const isLast = turn >= most;
      const answer = await this.#ask(isLast);
      if (answer.calls.length === 0) {
        const last = this.#messageOf(answer);
        if (await this.#takeMore(last)) continue;
        this.#remark(answer);
        return { text: answer.text, last };
      }
      if (isLast) {
        this.#isStopped = true;
        await this.#leaveOut(answer, most);
        events.push({
          type: 'notice',
          text: `Stopped after ${most} turns (agent.max_turns). Write on to let me continue.`,
        });
        return { text: answer.text };
      }
      await this.#act(answer);
    }
  }

  /** What the person has written since, and before it what was said last; false when they wrote nothing. */
  async #takeMore(last?: Message): Promise<boolean> {
    const more = (await this.#run.turn.more?.()) ?? [];
    if (last && more.length > 0) await record(this.#run, this.#conversation, last);
    for (const text of more) await record(this.#run, this.#conversation, { role: 'user', text });
    return more.length > 0;
  }

  /** Asks; when the server says that it is too long, once more with less. */
  async #ask(isLast: boolean): Promise<Answer> {
    await this.#compactor.fit();
    try {
      return await this.#askOnce(isLast);
    } catch (error) {
      const isUntouched = this.#answer.text === '' && this.#answer.calls.length === 0;
      if (!isHermesError(error, 'USAGE_CONTEXT_FULL') || !isUntouched) throw error;
      if (!(await this.#compactor.shrink())) throw error;
      return this.#askOnce(isLast);
    }
  }

  async #askOnce(isLast: boolean): Promise<Answer> {
    const answer = newAnswer(this.#hasSpoken ? '\n\n' : '');
    this.#answer = answer;
    const guessed = this.#compactor.guess();
    const { system, tools } = this.#frame;
    const messages = this.#conversation.messages();
    await askModel(
      this.#run,
      { system: isLast ? `${system}\n\n${LAST_TURN}` : system, tools, messages },
      answer,
    );
    this.#compactor.gauge.learn(guessed, answer.inputTokens);
    this.#hasSpoken ||= answer.text !== '';
    return answer;
  }

  async #act(answer: Answer): Promise<void> {
    await this.#recordCalls(answer);
    await this.#callAll(answer.calls);
  }

  async #callAll(calls: readonly ToolCall[]): Promise<void> {
    for (const group of inGroups(calls)) await allOf(group.map(call => this.#call(call)));
    this.#run.signal.throwIfAborted();
  }

  /** Its answer is written down as soon as it is there: after a crash it is known. */
  async #call(call: ToolCall): Promise<void> {
    const answer = await callTool(this.#run, call);
    await recordAnswer(this.#run, this.#conversation, answer);
  }

  async #leaveOut(answer: Answer, most: number): Promise<void> {
    await this.#recordCalls(answer);
    const text = `not run: the limit of ${most} turns for one message is reached.`;
    const answers = answer.calls.map(({ id, name }) => ({ id, name, text, isError: true }));
    await record(this.#run, this.#conversation, { role: 'tool', answers });
    await record(this.#run, this.#conversation, { role: 'assistant', text: OUT_OF_TURNS, calls: [] });
  }

  #messageOf({ text }: Answer): Message {
    this.#answer = newAnswer();
    return { role: 'assistant', text: text.trim() === '' ? NO_ANSWER : text, calls: [] };
  }

  async #recordCalls({ text, calls }: Answer): Promise<void> {
    this.#answer = newAnswer();
    await recordCalls(this.#run, this.#conversation, { role: 'assistant', text, calls });
  }

  #remark({ text, reason }: Answer): void {
    const kind =
      reason === 'length' || reason === 'refused' ? reason : text.trim() === '' ? 'empty' : undefined;
    if (kind) this.#run.events.push({ type: 'notice', text: NOTICES[kind] });
  }
}

/** Waits for all of them, whatever becomes of one. */
async function allOf(calls: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
