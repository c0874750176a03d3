// A question to whoever sits at the terminal.
import type { CommandContext } from '../../command.ts';

/** Enter alone is yes; Ctrl-C and the end of the input are no. */
export async function confirm(question: string, context: CommandContext): Promise<boolean> {
  const lines = context.openLines({ history: [], onInterrupt: context.end });
  const above = question.split('\n');
  const prompt = above.pop() ?? '';
  for (const line of above) context.note(line);
  try {
    const typed = await lines.next(prompt, { as: 'answer', signal: context.signal });
    return typed.kind === 'line' && /^(?:y|yes)?$/i.test(typed.text.trim());
  } finally {
    lines.close();
  }
}
