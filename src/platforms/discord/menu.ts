// The commands as Discord's menu has them. Pure.
import type { CommandHint } from '../platform.ts';

const NAME = /^[a-z0-9_-]{1,32}$/;
const LONGEST_HINT = 100;
const MOST_COMMANDS = 100;
const TYPED_WITH_SLASH = 1;
const TEXT = 3;

/** Names that Discord does not take in its menu are left out; they work all the same. */
export function menuOf(commands: readonly CommandHint[]): readonly object[] {
  return commands
    .filter(({ name, doc }) => NAME.test(name) && doc !== '')
    .slice(0, MOST_COMMANDS)
    .map(({ name, doc }) => ({
      name,
      type: TYPED_WITH_SLASH,
      description: doc.slice(0, LONGEST_HINT).toWellFormed(),
      // In servers and in private with the bot; not in chats between others.
      contexts: [0, 1],
      integration_types: [0],
      options: [{ type: TEXT, name: 'words', description: 'What follows the command.', required: false }],
    }));
}
