// Every command of the chat, as data: the help, the platform's menu and the dispatch are made from it.
import { type ErrorCode, errorCodes } from '../../base/error-codes.ts';
import { asHermesError, HermesError } from '../../base/errors.ts';
import type { NewBody } from '../outgoing.ts';
import { approve, deny } from './approvals.ts';
import type { ChatCommand, CommandContext } from './command.ts';
import { files, get, network, sandbox } from './sandbox.ts';
import { claim, fresh, start, status, stop, usage } from './session.ts';

const help: ChatCommand = {
  name: 'help',
  doc: 'Lists the commands.',
  for: 'everybody',
  run: async ({ by }) =>
    chatCommands
      .filter(command => command.for === 'everybody' || by.role === 'owner')
      .map(({ name, usage: after, doc }) => `/${name}${after ? ` ${after}` : ''} — ${doc}`)
      .join('\n'),
};

export const chatCommands: readonly ChatCommand[] = [
  ...[stop, fresh, status, approve, deny, sandbox, network, files, get, usage, help, start, claim],
];

/** What is answered; undefined when it was cut off by the end of the gateway. Never throws what a person can do something about. */
export async function runCommand(
  name: string,
  context: CommandContext,
): Promise<readonly NewBody[] | undefined> {
  const command = chatCommands.find(each => each.name === name);
  try {
    if (!command) return said(`I do not know /${name}. /help lists the commands.`);
    if (command.for === 'owners' && context.by.role !== 'owner') {
      throw new HermesError('DENIED_PERSON', `Only an owner may use /${name}.`);
    }
    const answer = await command.run(context);
    return typeof answer === 'string' ? said(answer) : answer;
  } catch (error) {
    if (context.isStopping()) return undefined;
    const { code, message } = asHermesError(error);
    context.parts.world.log.warn({ command: name, code, error: message }, 'a chat command failed');
    return said(isFor(context.by, code) ? message : errorCodes[code].chat);
  }
}

/** What only an operator can act on may quote paths and settings of the host. */
function isFor({ role }: CommandContext['by'], code: ErrorCode): boolean {
  return code !== 'BUG_UNEXPECTED' && (role === 'owner' || errorCodes[code].actor === 'user');
}

function said(text: string): readonly NewBody[] {
  return [{ kind: 'text', text }];
}
