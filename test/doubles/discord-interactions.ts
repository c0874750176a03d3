// The interactions of the double: commands and presses, each with a token of its own.
// - The first answer must come within 3 s, and only one is taken: later ones meet 10062, second ones 40060.
// - After it, the token works for follow-ups for 15 minutes; then it is refused as a webhook's (401, 50027).
// (discord/discord-api-docs, docs/interactions/receiving-and-responding.mdx and docs/topics/opcodes-and-status-codes.mdx;
// discordjs/discord-api-types, rest/common.ts: RESTJSONErrorCodes)
import type { Clock } from '../../src/base/clock.ts';
import type { Refusal } from './discord-faults.ts';

const ANSWER_MS = 3000;
const TOKEN_MS = 15 * 60_000;

const UNKNOWN_INTERACTION: Refusal = { status: 404, code: 10_062, message: 'Unknown interaction' };
const ALREADY_ACKNOWLEDGED: Refusal = {
  status: 400,
  code: 40_060,
  message: 'Interaction has already been acknowledged.',
};
const UNKNOWN_WEBHOOK: Refusal = { status: 404, code: 10_015, message: 'Unknown Webhook' };
const INVALID_TOKEN: Refusal = { status: 401, code: 50_027, message: 'Invalid Webhook Token' };

export class DiscordInteractions {
  readonly #clock: Clock;
  readonly #begun = new Map<string, { readonly at: number; isAnswered: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The token of a new interaction. */
  begin(id: string): string {
    const token = `token-of-${id}`;
    this.#begun.set(token, { at: this.#clock.monotonic(), isAnswered: false });
    return token;
  }

  /** Why the first answer is refused; undefined = it is taken. */
  answer(token: string): Refusal | undefined {
    const begun = this.#begun.get(token);
    if (begun?.isAnswered) return ALREADY_ACKNOWLEDGED;
    if (!begun || this.#clock.monotonic() - begun.at > ANSWER_MS) return UNKNOWN_INTERACTION;
    begun.isAnswered = true;
    return undefined;
  }

  /** Why a follow-up is refused; undefined = it is taken. */
  followUp(token: string): Refusal | undefined {
    const begun = this.#begun.get(token);
    if (!begun?.isAnswered) return UNKNOWN_WEBHOOK;
    return this.#clock.monotonic() - begun.at > TOKEN_MS ? INVALID_TOKEN : undefined;
  }
}
