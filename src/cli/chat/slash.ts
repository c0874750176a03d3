// The commands of a chat in the terminal, beside what is said to the agent.
import { explainSandbox } from '../../sessions/explain.ts';
import type { Look } from '../command.ts';
import { ageText } from '../commands/wording.ts';
import { renderTable } from '../table.ts';
import type { Chat } from './open-chat.ts';

interface SlashCommand {
  readonly usage: string;
  readonly doc: string;
  run(chat: Chat, args: string, look: Look): Promise<string>;
}

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  new: {
    usage: '/new',
    doc: 'forget this conversation, and its sandbox, and begin anew',
    async run(chat) {
      const { asks } = chat;
      await chat.startAnew();
      const again =
        asks === 'nobody' ? ' --yolo was for the one before: what could do harm is asked again.' : '';
      return `A new conversation.${again}`;
    },
  },
  status: { usage: '/status', doc: 'this conversation, the model, and what was used', run: status },
  sandbox: { usage: '/sandbox', doc: 'where commands run, and who decided so', run: sandbox },
  model: {
    usage: '/model [NAME]',
    doc: 'the model, or another one for this chat',
    async run(chat, name) {
      if (name !== '') await chat.useModel(name);
      const model = chat.model;
      return model
        ? `${model.model} (${model.name})`
        : 'No model is set. /model NAME takes one for this chat.';
    },
  },
  help: { usage: '/help', doc: 'this list', run: async (_chat, _args, look) => help(look) },
};

/** Undefined when the line is no command. */
export async function runSlash(line: string, chat: Chat, look: Look): Promise<string | undefined> {
  const match = /^\/(\w+)(?:\s+(.*))?$/s.exec(line.trim());
  if (!match) return undefined;
  const [, name = '', args = ''] = match;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command ? command.run(chat, args.trim(), look) : `There is no /${name}. /help lists what there is.`;
}

function help(look: Look): string {
  const rows = Object.values(COMMANDS).map(({ usage, doc }) => [usage, doc]);
  const more = [
    ['!COMMAND', 'run a command in the sandbox yourself'],
    ['Ctrl-C', 'interrupt the agent; once more to leave'],
    ['Ctrl-D', 'leave; hermes chat --continue goes on later'],
  ];
  return renderTable(['you type', 'it does'], [...rows, ...more], look);
}

async function status(chat: Chat, _args: string, look: Look): Promise<string> {
  const { session, world, model } = chat;
  const usage = await chat.agent.usage(session.id);
  const sandboxEntry = await world.store.ledger.findLive(session.id);
  const cost = usage.costMicros === null ? [] : [['cost', (usage.costMicros / 1e6).toFixed(4)]];
  const rows = [
    ['session', `${session.id}, for ${ageText(session.createdAt, world.clock.now())}`],
    ['model', model ? `${model.model} (${model.name})` : 'none; !COMMAND runs in the sandbox'],
    [
      'sandbox',
      sandboxEntry ? `${sandboxEntry.id}, ${sandboxEntry.backend}, ${sandboxEntry.state}` : 'none yet',
    ],
    ['messages', String(usage.runs)],
    ['asked', `${usage.modelCalls} times the model, ${usage.toolCalls} tools`],
    ['tokens', `${usage.inputTokens} read, ${usage.outputTokens} written`],
    ...cost,
  ];
  return twoColumns(rows, look);
}

async function sandbox({ session, world }: Chat, _args: string, look: Look): Promise<string> {
  const { backend: recorded } = await world.store.installation.read();
  const entry = await world.store.ledger.findLive(session.id);
  const { config, facts } = world;
  const told = explainSandbox({ config, session, world: { backends: facts, recorded }, entry });
  if (told.refusal) return `${told.refusal.reason} ${told.refusal.fix}`;
  const value = ({ value: what, origin }: { value: unknown; origin: string }): string =>
    `${Array.isArray(what) ? what.join(', ') || 'none' : String(what ?? 'none')} (${origin})`;
  const rows = [
    ['backend', value(told.backend)],
    ...(told.image.value === null ? [] : [['image', value(told.image)]]),
    ['network', value(told.network)],
    ['host folders', value(told.mounts)],
    ['sandbox', told.sandbox ? `${told.sandbox.id}, ${told.sandbox.state}` : 'made with the first command'],
  ];
  const hurts = told.exposures.map(each => `• ${each}`);
  const table = twoColumns(rows, look);
  return hurts.length === 0 ? table : [table, 'What it could hurt outside itself:', ...hurts].join('\n');
}

/** A table that needs no head. */
function twoColumns(rows: readonly (readonly string[])[], look: Look): string {
  return renderTable(['', ''], rows, look).split('\n').slice(1).join('\n');
}
