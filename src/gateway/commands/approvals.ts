// Answers to approvals by command, for platforms without buttons and owners elsewhere (P8).

import type { Decision } from '../../approvals/desk.ts';
import { HermesError } from '../../base/errors.ts';
import type { ChatCommand, CommandContext } from './command.ts';

const SCOPES = ['once', 'session', 'always'] as const;

export const approve: ChatCommand = {
  name: 'approve',
  usage: 'ID [once|session|always]',
  doc: 'Lets a command run that waits for an approval.',
  for: 'owners',
  run(context) {
    const [id, word = 'once', ...more] = context.args.split(/\s+/);
    const scope = SCOPES.find(each => each === word.toLowerCase());
    if (!id || !scope || more.length > 0) throw misused('/approve ID [once|session|always]');
    return answered(context, id, { kind: 'approve', scope });
  },
};

export const deny: ChatCommand = {
  name: 'deny',
  usage: 'ID [reason]',
  doc: 'Refuses a command that waits for an approval.',
  for: 'owners',
  run(context) {
    const [, id, reason] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(context.args) ?? [];
    if (id === undefined) throw misused('/deny ID [reason]');
    return answered(context, id, { kind: 'deny', ...(reason ? { reason } : {}) });
  },
};

async function answered({ parts, by }: CommandContext, id: string, decision: Decision): Promise<string> {
  const answerer = { who: by.person, isOwner: by.role === 'owner' };
  return (await parts.desk.answer(id.toLowerCase(), answerer, decision)).text;
}

function misused(usage: string): HermesError {
  return new HermesError('USAGE_BAD_ARGUMENTS', `Use it like this: ${usage}`);
}
