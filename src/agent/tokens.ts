// How many tokens a request has: a guess that is rather too high, corrected by what the server counted last. Pure but for
// what it has learned.
import type { Message, ModelRequest } from '../providers/provider.ts';

/** English has some 4.3, code and JSON 3 to 3.5, most other scripts 3 or more. */
const BYTES_PER_TOKEN = 3;
/** Roles, ids and separators. */
const PER_MESSAGE = 8;

/** How many bytes so many tokens may have. */
export function bytesOf(tokens: number): number {
  return Math.floor(tokens * BYTES_PER_TOKEN);
}

function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export function tokensOfMessage(message: Message): number {
  switch (message.role) {
    case 'user':
      return PER_MESSAGE + tokensOfText(message.text);
    case 'assistant': {
      const calls = message.calls.map(({ name, input }) => PER_MESSAGE + tokensOfText(name + input));
      return PER_MESSAGE + tokensOfText(message.text) + sum(calls);
    }
    case 'tool':
      return sum(message.answers.map(({ text }) => PER_MESSAGE + tokensOfText(text)));
  }
}

/** What every request of a run has before its messages. */
export function tokensOfFrame({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  return tokensOfText(system) + tokensOfText(JSON.stringify(tools));
}

export function tokensOfMessages(messages: readonly Message[]): number {
  return sum(messages.map(tokensOfMessage));
}

/** No guess is farther off than this; what was counted lower or higher was counted otherwise. */
const LOWEST = 0.5;
const HIGHEST = 4;

export class TokenGauge {
  #factor = 1;

  /** What the server says a request had that was guessed so. */
  learn(guessed: number, counted: number): void {
    if (guessed <= 0 || counted <= 0) return;
    this.#factor = Math.min(HIGHEST, Math.max(LOWEST, counted / guessed));
  }

  /** The guess that would come to so many tokens. */
  guessFor(tokens: number): number {
    return tokens / this.#factor;
  }

  corrected(guessed: number): number {
    return Math.ceil(guessed * this.#factor);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
