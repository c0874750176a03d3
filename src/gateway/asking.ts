// The question of a run that waits for its person: one at a time, and what becomes of it in the chat.
import type { Delivery } from './delivery.ts';
import type { LiveAnswer } from './live-answer.ts';
import type { Recipient } from './outgoing.ts';
import { type OpenQuestion, questionBody, settledQuestion } from './question-to-person.ts';

interface AskingParts {
  readonly runId: string;
  /** Nobody else can answer. */
  readonly person: string;
  readonly to: Recipient;
  readonly delivery: Delivery;
  /** An answer is repeated under its question, cut: what is secret in it is hidden before (P7). */
  readonly redact: (text: string) => string;
  /** Of the run; a question does not outlive it. */
  readonly signal: AbortSignal;
  /** Held while somebody is asked. */
  readonly live: () => LiveAnswer | undefined;
  /** For what must be over before the run is, and must not hold it up. */
  readonly meanwhile: (work: () => Promise<void>) => void;
}

export class Asking {
  readonly #own: AskingParts;
  #open: OpenQuestion | undefined;

  constructor(own: AskingParts) {
    this.#own = own;
  }

  get open(): OpenQuestion | undefined {
    return this.#open;
  }

  /** Closes it: what comes next is no answer to it any more. */
  take(): OpenQuestion | undefined {
    const question = this.#open;
    this.#open = undefined;
    return question;
  }

  /** Throws the reason of an abort. */
  async ask(question: string, options: readonly string[]): Promise<string> {
    const { runId, person, to, delivery, redact, signal, live } = this.#own;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#open = { person, options, answer: resolve };
    const body = questionBody(runId, question, options);
    let answer = '(not answered)';
    let asked: number | undefined;
    try {
      await live()?.hold();
      asked = (await delivery.sendWatched(to, body)).seq;
      answer = await promise;
      return answer;
    } finally {
      this.#open = undefined;
      signal.removeEventListener('abort', onAbort);
      live()?.goOn();
      if (asked !== undefined && options.length > 0) {
        const edit = { kind: 'edit', target: asked, text: settledQuestion(body, redact(answer)) } as const;
        this.#own.meanwhile(() => delivery.send(to, edit));
      }
    }
  }
}
