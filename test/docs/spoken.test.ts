import { expect, it } from 'vitest';
import { commandLinesOf, spansOf } from './spoken.ts';

it('finds the command lines in fences and in text, without comments, prompts and what goes to other programs', () => {
  const page = [
    'Call `hermes status`, `npx hermes chat -q "two words"`, or `sandbox list`.',
    '```sh',
    '$ hermes people role telegram:1 owner   # a comment',
    "15 3 * * *  hermes run -- 'a; b' | hermes redact < build.log",
    'error X: Remove it before: hermes sandbox destroy k3v9.',
    '```',
    '```ts',
    'hermes is no command here',
    '```',
  ].join('\n');
  expect(commandLinesOf(page)).toEqual([
    ['people', 'role', 'telegram:1', 'owner'],
    ['run', '--', 'a; b'],
    ['sandbox', 'destroy', 'k3v9'],
    ['status'],
    ['chat', '-q', 'two words'],
  ]);
  expect(spansOf(page)).toContain('sandbox list');
});
