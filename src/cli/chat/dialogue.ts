// Questions to whoever sits at the terminal while a run waits: approvals, and what the model wants to know.
import type { ApprovalDesk, Decision } from '../../approvals/desk.ts';
import type { Question } from '../../approvals/question.ts';
import { Turns } from '../../base/turns.ts';
import type { Look } from '../command.ts';
import { shortened } from '../commands/wording.ts';
import type { Lines, Typed } from '../lines.ts';
import { approvalCard } from './approval-card.ts';
import { framed } from './framed.ts';
import { PERSON } from './held-session.ts';
import type { Screen } from './screen.ts';

export interface DialogueParts {
  readonly lines: Lines;
  readonly screen: Screen;
  readonly look: () => Look;
  readonly write: (text: string) => void;
  /** Ctrl-C, or the end of the input, in the place of an answer. */
  readonly onInterrupt: () => void;
}

const ANSWERS: Readonly<Record<string, Decision>> = {
  o: { kind: 'approve', scope: 'once' },
  s: { kind: 'approve', scope: 'session' },
  a: { kind: 'approve', scope: 'always' },
  d: { kind: 'deny' },
};

export class Dialogue {
  readonly #parts: DialogueParts;
  /** One question at a time, in their order. */
  readonly #turns = new Turns();
  readonly #open = new Map<string, AbortController>();

  constructor(parts: DialogueParts) {
    this.#parts = parts;
  }

  /** Resolves when it was answered here, or settled elsewhere. */
  async approve(question: Question, desk: () => ApprovalDesk): Promise<void> {
    const settled = new AbortController();
    this.#open.set(question.id, settled);
    await this.#turn(settled.signal, async () => {
      this.#say(approvalCard(question, this.#parts.look()));
      const decision = await this.#decision(settled.signal);
      if (!decision) return;
      const { text } = await desk().answer(
        question.id,
        { who: PERSON, isOwner: true },
        decision,
        question.nonce,
      );
      this.#say(text);
    });
    this.#open.delete(question.id);
  }

  /** Nobody has to answer it any more. */
  settled(id: string): void {
    this.#open.get(id)?.abort();
  }

  /** The words, or the option that a number stands for. */
  async ask(text: string, options: readonly string[], signal: AbortSignal): Promise<string> {
    let answer = '';
    await this.#turn(signal, async () => {
      const { colors, columns } = this.#parts.look();
      const choices = options.map((option, at) => `  ${at + 1}. ${option}`);
      this.#say(
        [colors.bold('The agent asks:'), ...framed([text, ...choices].join('\n'), columns)].join('\n'),
      );
      const typed = await this.#next('answer: ', signal);
      if (typed?.kind === 'line') answer = options[Number(typed.text.trim()) - 1] ?? typed.text;
    });
    return answer;
  }

  /** Shown nowhere and kept in no history; undefined when nothing is typed. */
  async secret(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    let typed: string | undefined;
    await this.#turn(signal, async () => {
      typed = (await this.#next(prompt, signal, 'secret'))?.text;
    });
    return typed === '' ? undefined : typed;
  }

  async #decision(signal: AbortSignal): Promise<Decision | undefined> {
    for (;;) {
      const typed = await this.#next('[o]nce, this [s]ession, [a]lways, [d]eny: ', signal);
      if (!typed) return undefined;
      const decision = ANSWERS[typed.text.trim().toLowerCase().charAt(0)];
      const isWord = /^(?:o(?:nce)?|s(?:ession)?|a(?:lways)?|d(?:eny)?)$/i.test(typed.text.trim());
      if (decision && isWord) return decision;
      this.#say('Please answer o, s, a or d.');
    }
  }

  /** Undefined when there is nobody to wait for. */
  async #next(
    prompt: string,
    signal: AbortSignal,
    as: 'answer' | 'secret' = 'answer',
  ): Promise<Extract<Typed, { kind: 'line' }> | undefined> {
    const typed = await this.#parts.lines.next(prompt, { signal, as });
    if (typed.kind === 'line') return typed;
    if (!signal.aborted) this.#parts.onInterrupt();
    return undefined;
  }

  async #turn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { screen, lines } = this.#parts;
    await this.#turns.in('terminal', async () => {
      if (signal.aborted) return;
      screen.settle();
      // What was typed before the question was there is no answer to it.
      for (const line of lines.forget())
        this.#say(`Not sent, as a question came first: ${shortened(line, 60)}`);
      await work();
      screen.begin();
    });
  }

  #say(text: string): void {
    this.#parts.write(`${text}\n`);
  }
}
