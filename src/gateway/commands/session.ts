// Commands about the conversation itself.
import type { ChatCommand, CommandContext } from './command.ts';
import { runningProcesses, statusText } from './status.ts';

const ANYWAY = 'anyway';

export const stop: ChatCommand = {
  name: 'stop',
  doc: 'Ends what is being done, and drops what waits.',
  for: 'everybody',
  async run({ runs, session, seq }) {
    const { hadRun, dropped } = await runs.stop(session.id, seq);
    if (!hadRun && dropped === 0) return 'Nothing is running.';
    const waiting =
      dropped === 0 ? '' : ` ${dropped} waiting ${dropped === 1 ? 'message was' : 'messages were'} dropped.`;
    return `${hadRun ? 'Stopped.' : 'Nothing was running.'}${waiting}`;
  },
};

export const fresh: ChatCommand = {
  name: 'new',
  usage: `[${ANYWAY}]`,
  doc: 'Starts afresh: nothing of what was said, granted or made so far is carried over.',
  for: 'everybody',
  async run(context) {
    const { session, runs, parts, args, seq } = context;
    const left = await runningProcesses(parts.world.store, session.id);
    if (left.length > 0 && args !== ANYWAY) {
      const ids = left.map(({ id }) => id).join(', ');
      return `Background processes still run in this conversation's sandbox: ${ids}. End them first, or start afresh all the same with \`/new ${ANYWAY}\`; they end with their sandbox.`;
    }
    await runs.stop(session.id, seq);
    await parts.world.store.sessions.end(session.id);
    return 'A new conversation begins with your next message.';
  },
};

export const status: ChatCommand = {
  name: 'status',
  doc: 'Where commands run, what they may reach, what runs now, and what to be warned of.',
  for: 'everybody',
  run: statusText,
};

export const usage: ChatCommand = {
  name: 'usage',
  doc: 'Tokens and calls of this conversation.',
  for: 'everybody',
  async run({ parts, session }) {
    const used = await parts.agent.usage(session.id);
    const { modelCalls, toolCalls, inputTokens, outputTokens } = used;
    return `Model calls: ${modelCalls}\nTool calls: ${toolCalls}\nTokens: ${inputTokens} in, ${outputTokens} out`;
  },
};

export const claim: ChatCommand = {
  name: 'claim',
  usage: 'CODE',
  doc: 'Makes you the first owner, with the code that the start of the gateway printed.',
  for: 'everybody',
  run: async () =>
    'There is nothing to claim here: this installation has an owner, or no code is open. Codes count in a private chat only.',
};

/** The greeting that a platform's own start button sends for. */
export const start: ChatCommand = {
  name: 'start',
  doc: 'Says hello.',
  for: 'everybody',
  run: async ({ by, parts }: CommandContext) => {
    const how =
      parts.model === undefined
        ? 'No model is set up yet: `!command` runs a command in the sandbox of this conversation (owners only).'
        : 'Write what you need; every command runs in the sandbox of this conversation.';
    return `Hello ${by.name}. ${how} /help lists the commands.`;
  },
};
