// hermes chat: the agent in the terminal.
import { HermesError } from '../../base/errors.ts';
import type { Answered } from '../chat/ask-once.ts';
import { defineCommand } from '../command.ts';
import { commandExitCode, EXIT_CANCELED } from '../command-exit-code.ts';

/** The turns were used up: there is an answer, but not all of it. */
const EXIT_STOPPED = 1;
/** As a shell says it of a command that may not be run. */
const EXIT_NOT_RUN = 126;

export const chat = defineCommand({
  doc: 'Talks to the agent. Its commands run in the sandbox that is configured for the CLI; what could do harm outside it is asked first. With -q, or with a question through a pipe, it answers once and ends; nobody can be asked then, so that what would have to be asked is denied.',
  flags: {
    question: {
      type: 'text',
      short: 'q',
      value: 'TEXT',
      doc: 'answer this and end; what comes through a pipe is added',
    },
    yolo: {
      type: 'switch',
      doc: 'ask nobody in this conversation: what could do harm runs at once, and is shown; approvals.deny still holds',
    },
    continue: { type: 'switch', short: 'c', doc: 'go on with the last chat, its history and its files' },
  },
  args: [],
  examples: [
    ['chat', 'talk; /help lists what you can type'],
    ['chat -q "How much disk is free?"', 'one answer, for scripts'],
    ['chat -q "What went wrong?" < build.log', 'about a file'],
    ['chat -q "List the largest files" --json', 'with the tools that were used, for programs'],
    ["chat -q '!sort | uniq -c' < names", 'a command of yours in the sandbox, with its exit code'],
    ['chat --continue', 'go on where you left off'],
  ],
  async run({ flags }, context): Promise<Answered | undefined> {
    const options = {
      begin: flags.continue ? 'continue' : 'new',
      asks: flags.yolo ? 'nobody' : 'person',
    } as const;
    if (flags.question === undefined && context.terminal().isTyped) {
      if (!context.stream) {
        throw new HermesError('USAGE_BAD_ARGUMENTS', '--json needs a question: -q, or one through a pipe.');
      }
      const { converse } = await import('../chat/converse.ts');
      await converse(context, options);
      return undefined;
    }
    const [{ readQuestion }, { askOnce }] = await Promise.all([
      import('../chat/question.ts'),
      import('../chat/ask-once.ts'),
    ]);
    return askOnce(context, await readQuestion(flags.question, context), options);
  },
  render: () => '',
  exitCode(answered) {
    if (answered?.outcome === 'canceled') return EXIT_CANCELED;
    if (answered?.outcome === 'stopped') return EXIT_STOPPED;
    const command = answered?.command;
    if (!command) return 0;
    return command.outcome === 'not-run' ? EXIT_NOT_RUN : commandExitCode(command);
  },
});
