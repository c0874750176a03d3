// A question of the model to the person who wrote: their next message or a button is the answer, and never a stranger's.
import type { Button } from '../platforms/platform.ts';
import type { NewBody } from './outgoing.ts';

export interface OpenQuestion {
  /** Such as `telegram:123`; nobody else can answer. */
  readonly person: string;
  readonly options: readonly string[];
  readonly answer: (text: string) => void;
}

const PREFIX = 'q';
const RUN_LETTERS = 8;
/** What a platform's button shows of a long option. */
const LONGEST_LABEL = 40;
/** What is repeated of an answer under its question. */
const LONGEST_ANSWER = 200;

type QuestionBody = Extract<NewBody, { kind: 'text' }>;

export function questionBody(runId: string, question: string, options: readonly string[]): QuestionBody {
  const listed = options.map((option, at) => `${at + 1}. ${option}`);
  const text = [`❓ ${question}`, ...listed].join('\n');
  const buttons = options.map((option, at): readonly Button[] => [
    {
      label: option.slice(0, LONGEST_LABEL).toWellFormed(),
      data: `${PREFIX}:${runId.slice(0, RUN_LETTERS)}:${at}`,
    },
  ]);
  return { kind: 'text', text, ...(buttons.length > 0 ? { buttons } : {}) };
}

/** How it reads when it is over; without its buttons. */
export function settledQuestion({ text }: QuestionBody, answer: string): string {
  const [line = ''] = answer.split('\n');
  return `${text}\n\n✔ ${line.length > LONGEST_ANSWER ? `${line.slice(0, LONGEST_ANSWER).toWellFormed()}…` : line}`;
}

/** Which option of which run a button means; undefined when it is another kind of button. */
export function parseQuestionButton(
  data: string,
): { isOf(runId: string): boolean; option: number } | undefined {
  const [, run, option] = new RegExp(`^${PREFIX}:([a-z0-9]{${RUN_LETTERS}}):(\\d{1,3})$`).exec(data) ?? [];
  if (run === undefined || option === undefined) return undefined;
  return { isOf: runId => runId.startsWith(run), option: Number(option) };
}
