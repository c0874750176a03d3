// Which settings a backend is written to, by what it is for.
import { expect, it } from 'vitest';
import { keysFor } from './backend-step.ts';

const CHATS = 'gateway.terminal_backend';
const COMMON = 'terminal.backend';

it.each([
  ['chats', { chats: 'auto', isPinned: false }, { [CHATS]: 'docker' }],
  ['both', { chats: 'auto', isPinned: false }, { [CHATS]: 'docker', [COMMON]: 'docker' }],
  ['cli', { chats: 'bubblewrap', isPinned: true }, { [COMMON]: 'docker' }],
  ['cli', { chats: 'auto', isPinned: false }, { [CHATS]: 'auto', [COMMON]: 'docker' }],
] as const)(
  'a backend for %s, with %j before, is written where it counts and nowhere else',
  (purpose, before, keys) => {
    expect(keysFor(purpose, 'docker', before)).toEqual(keys);
  },
);
