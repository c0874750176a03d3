// Questions to whoever sits at the terminal, one line each.
import { HermesError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { wrapText } from '../table.ts';

export interface Prompter {
  /** Enter alone is the fallback. Throws USAGE_BAD_ARGUMENTS when the person leaves. */
  ask(question: string, fallback?: string): Promise<string>;
  /** The same, and nothing of what is typed is shown. */
  askSecret(question: string): Promise<string>;
  /** Enter alone is yes; what is neither yes nor no is asked again. */
  confirm(question: string): Promise<boolean>;
  close(): void;
}

export function openPrompter(context: CommandContext): Prompter {
  const lines = context.openLines({ history: [], onInterrupt: context.end });
  const answer = async (shown: string, as: 'answer' | 'secret'): Promise<string> => {
    const prompt = `${wrapText(shown, context.terminal().look)} `;
    const typed = await lines.next(prompt, { as, signal: context.signal });
    if (typed.kind === 'line') return typed.text.trim();
    throw new HermesError('USAGE_BAD_ARGUMENTS', 'Left before the end. What was saved until then stays.');
  };
  const ask = async (question: string, fallback = ''): Promise<string> =>
    (await answer(fallback === '' ? question : `${question} [${fallback}]`, 'answer')) || fallback;
  const confirm = async (question: string): Promise<boolean> => {
    for (;;) {
      const typed = await ask(question, 'y');
      if (/^y(?:es)?$/i.test(typed)) return true;
      if (/^no?$/i.test(typed)) return false;
    }
  };
  return {
    ask,
    askSecret: question => answer(`${question} (not shown)`, 'secret'),
    confirm,
    close: () => lines.close(),
  };
}
