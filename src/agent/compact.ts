// Makes a conversation shorter before it is too long for the model: old results first, then a summary by the model itself.
// What is recent stays whole. It is written down, so that it holds for the runs to come.
import { isHermesError } from '../base/errors.ts';
import type { ModelRequest } from '../providers/provider.ts';
import { askBesides } from './ask-model.ts';
import { contextTokensOf } from './context-size.ts';
import type { Conversation } from './conversation.ts';
import { ownWordsIn, withOwnWords } from './own-words.ts';
import { CALM_SHARE, isOver, lastOld, type Pressure, writtenUpTo } from './plan-compaction.ts';
import type { RunContext } from './run-context.ts';
import { NO_SUMMARY, summaryRequest } from './summary.ts';
import { bytesOf, TokenGauge, tokensOfFrame, tokensOfMessages } from './tokens.ts';

/** Of the context, for the text that is summarised. */
const SUMMARY_SHARE = 0.5;
/** Of the context, for what the person wrote themselves. */
const OWN_WORDS_SHARE = 0.1;

export class Compactor {
  readonly gauge = new TokenGauge();
  readonly #run: RunContext;
  readonly #conversation: Conversation;
  readonly #frameTokens: number;
  #contextTokens: number;

  constructor(run: RunContext, conversation: Conversation, frame: Pick<ModelRequest, 'system' | 'tools'>) {
    this.#run = run;
    this.#conversation = conversation;
    this.#frameTokens = tokensOfFrame(frame);
    this.#contextTokens = contextTokensOf(run.parts.config);
  }

  /** What the request has, uncorrected. */
  guess(trimmedUpTo?: number): number {
    return this.#frameTokens + tokensOfMessages(this.#conversation.messages(trimmedUpTo));
  }

  /** Before a question to the model. */
  async fit(): Promise<void> {
    if (!isOver(this.gauge.corrected(this.guess()), this.#contextTokens)) return;
    const old = this.#lastOld('near');
    if (old === undefined || (await this.#trimIfEnough(old))) return;
    await this.#summarise(old);
  }

  /** After the server has refused the request as too long. False when nothing can be made shorter. */
  async shrink(): Promise<boolean> {
    const before = this.guess();
    // It is smaller than it was said to be.
    this.#contextTokens = Math.min(this.#contextTokens, this.gauge.corrected(before));
    const old = this.#lastOld('refused');
    if (old !== undefined) await this.#summarise(old);
    const newest = this.#conversation.entries.at(-1)?.seq ?? 0;
    if (this.guess() > before / 2 && this.guess(newest) < this.guess()) await this.#trim(newest);
    return this.guess() < before;
  }

  #lastOld(pressure: Pressure): number | undefined {
    const contextTokens = this.gauge.guessFor(this.#contextTokens);
    return lastOld(this.#conversation.entries, { contextTokens, pressure });
  }

  async #trimIfEnough(upTo: number): Promise<boolean> {
    if (upTo <= this.#conversation.trimmedUpTo) return false;
    if (this.gauge.corrected(this.guess(upTo)) > this.#contextTokens * CALM_SHARE) return false;
    await this.#trim(upTo);
    return true;
  }

  async #trim(covers: number): Promise<void> {
    const { parts, session, turn } = this.#run;
    await parts.world.store.turns.compact({
      ...{ sessionId: session.id, runId: turn.runId, kind: 'trim', covers, text: '' },
    });
    this.#conversation.trim(covers);
  }

  async #summarise(covers: number): Promise<void> {
    const { parts, session, turn, events } = this.#run;
    events.push({
      type: 'notice',
      text: 'The conversation has become long; its older part is being summarised.',
    });
    const { entries, summary = '' } = this.#conversation;
    const words = [...ownWordsIn(summary), ...writtenUpTo(entries, covers)];
    const written = (await this.#written(covers)).trim() || NO_SUMMARY;
    const text = withOwnWords(written, words, bytesOf(this.#contextTokens * OWN_WORDS_SHARE));
    await parts.world.store.turns.compact({
      ...{ sessionId: session.id, runId: turn.runId, kind: 'summary', covers, text },
    });
    this.#conversation.summarise(text, covers);
  }

  /** Empty when even that is too long for the model. */
  async #written(covers: number): Promise<string> {
    const old = this.#conversation.old(covers);
    for (const share of [SUMMARY_SHARE, SUMMARY_SHARE / 3]) {
      try {
        return await askBesides(this.#run, summaryRequest(old, this.#contextTokens * share));
      } catch (error) {
        if (!isHermesError(error, 'USAGE_CONTEXT_FULL')) throw error;
      }
    }
    return '';
  }
}
