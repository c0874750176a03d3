// What a run has used so far.
import type { SettingsReader } from '../base/setting.ts';
import type { Usage } from '../providers/provider.ts';
import type { RunSpending } from '../store/runs.ts';
import type { AgentSettings } from './agent-parts.ts';
import type { RunUsage } from './events.ts';

export class Spending {
  readonly #prices: { readonly input: number; readonly output: number } | undefined;
  #inputTokens = 0;
  #outputTokens = 0;
  #modelCalls = 0;
  #toolCalls = 0;
  #contextTokens: number | null = null;

  constructor(config: SettingsReader<AgentSettings>) {
    const [input, output] = [config.get('model.input_price'), config.get('model.output_price')];
    if (input !== undefined && output !== undefined) this.#prices = { input, output };
  }

  /** What the same run had used before a restart counts too. */
  goOn(before: RunSpending | undefined): void {
    this.#inputTokens += before?.inputTokens ?? 0;
    this.#outputTokens += before?.outputTokens ?? 0;
    this.#modelCalls += before?.modelCalls ?? 0;
    this.#toolCalls += before?.toolCalls ?? 0;
    this.#contextTokens = before?.contextTokens ?? null;
  }

  get modelCalls(): number {
    return this.#modelCalls;
  }

  callModel(): void {
    this.#modelCalls++;
  }

  callTool(): void {
    this.#toolCalls++;
  }

  /** `about`: whether it was an answer in the conversation, or something besides, such as a summary. */
  use({ inputTokens, outputTokens }: Usage, about: 'conversation' | 'else'): void {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    if (about === 'conversation') this.#contextTokens = inputTokens + outputTokens || null;
  }

  usage(): RunUsage {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
    };
  }

  /** A price for a million tokens is one in millionths for each. */
  stored(): RunSpending {
    const costMicros = this.#prices
      ? Math.round(this.#inputTokens * this.#prices.input + this.#outputTokens * this.#prices.output)
      : null;
    return { ...this.usage(), costMicros, contextTokens: this.#contextTokens };
  }
}
