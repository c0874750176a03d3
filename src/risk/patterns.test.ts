// The owner's lists: an exact entry is exact, whatever signs stand in it; a star is a star unless it is escaped.

import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { exactEntry, isAllowedBy, isDeniedBy } from './patterns.ts';

describe('an entry that was made from a command', () => {
  it('covers that command and no other', () => {
    const entry = exactEntry('rm -rf /srv/*');
    expect(isAllowedBy(entry, 'rm -rf /srv/*')).toBe(true);
    expect(isAllowedBy(entry, 'rm -rf /srv/x /etc /home')).toBe(false);
    expect(isAllowedBy('rm -rf /srv/*', 'rm -rf /srv/x')).toBe(true);
  });

  it('does so for every command', () => {
    const words = fc.string({ unit: fc.constantFrom('a', '*', '\\', ' ', '/'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, words, (command, other) => {
        const entry = exactEntry(command);
        if (command.trim() === '') return;
        expect(isAllowedBy(entry, command)).toBe(true);
        expect(isAllowedBy(entry, other)).toBe(other.trim() === command.trim());
      }),
    );
  });
});

it('an entry of the deny list forbids by its beginning, or as a pattern', () => {
  expect(isDeniedBy('git push', 'git push -f')).toBe(true);
  expect(isDeniedBy('git push', 'git pushd')).toBe(false);
  expect(isDeniedBy('* --force', 'git push --force')).toBe(true);
  expect(isDeniedBy('echo \\*', 'echo x')).toBe(false);
  expect(isDeniedBy('echo \\*', 'echo *')).toBe(true);
});
