// The tool `ask_user`: a question to the person who wrote.
import { z } from 'zod';
import { defineTool, type Tool } from './tool.ts';

const input = z.strictObject({
  question: z
    .string()
    .min(1)
    .max(2000)
    .describe('In the language of the person, with all that they need to decide.'),
  options: z
    .array(z.string().min(1).max(100))
    .max(8)
    .optional()
    .describe('Answers to choose from; others stay possible.'),
});

export const askUserTool: Tool = defineTool<z.infer<typeof input>>({
  name: 'ask_user',
  description:
    'Asks the person in the chat and waits for the answer. Only for what you can neither find out nor decide; it costs them time.',
  input,
  insideCode: false,
  begins: () => 'never',
  summary: ({ question }) => question,
  async run({ question, options = [] }, { askUser }) {
    if (!askUser) {
      const say = 'Nobody can answer here. Decide by yourself, or end with the question.';
      return { text: '', notes: [say], isError: true };
    }
    // The person's own word is no data: it counts like their message.
    return { text: '', notes: [`The person answered: ${await askUser(question, options)}`] };
  },
});
