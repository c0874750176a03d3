// The owner's lists: an exact entry is exact, whatever signs stand in it; a star is a star unless it is escaped.

import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { analyse } from './analyse.ts';
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

describe('P8: an entry with a star', () => {
  it.each([
    ['git *', 'git status'],
    ['rm -rf /srv/*', 'rm -rf /srv/x'],
    ['npm run test:*', 'npm run test:unit'],
    ['curl https://good.example/*', 'curl https://good.example/a/b'],
  ])('%s covers %s', (entry, command) => expect(isAllowedBy(entry, command)).toBe(true));

  it.each([
    ['git *', 'git push origin'],
    ['git *', 'git -c'],
    ['rm -rf /srv/*', 'rm -rf /srv/x /etc'],
    ['rm -rf /srv/*', 'rm -rf /srv/../etc'],
    ['rm -rf /srv/*', 'rm -rf /srv/..'],
    ['rm -rf /srv/*', 'rm -rf /srv/*'],
    ['rm -rf /srv/*', 'rm -rf /srv/{a,b}'],
    ['curl https://good.example/*', 'curl https://good.example/x -o /etc/x'],
    ['curl https://good.example/*', 'curl https://good.example/x\t-K/tmp/x'],
    ['ls *', "ls 'a b'"],
    ['npm run *', 'npm run x;reboot'],
    ['tar *', 'tar --to-command=sh'],
    ['shape: mytool x', 'shape: mytool x'],
  ])('%s does not cover %s', (entry, command) => expect(isAllowedBy(entry, command)).toBe(false));
});

describe('P8: the deny list', () => {
  const denied = (entry: string, command: string): boolean =>
    analyse(command).commands.some(each => isDeniedBy(entry, each));

  it.each([
    ['rm -rf', 'rm -fr /x'],
    ['rm -rf', 'rm -r -f /x'],
    ['rm -rf', '/bin/rm -rf /x'],
    ['rm -rf', 'rm -v -R --force /x'],
    ['rm -rf', 'rm /x -rf'],
    ['rm -rf', 'sudo rm -fr /x'],
    ['rm -rf', "sh -c 'rm -fr /x'"],
    ['rm -rf', 'env A=b rm --recursive --force /x'],
    ['rm -rf', 'logsave /dev/null rm -fr /x'],
    ['rm -rf', 'find . -exec rm -fr {} +'],
    ['rm -rf /srv/*', 'rm -f -r /srv/x'],
    ['git push --force', 'git -C x push origin main -f'],
    ['git push --force', 'git push -f'],
    ['kubectl delete', 'kubectl -n prod delete pod x'],
    ['curl', 'timeout 5 /usr/bin/curl https://x.example'],
  ])('%s forbids %s', (entry, command) => expect(denied(entry, command)).toBe(true));

  it.each([
    ['rm -rf', 'rm -r x'],
    ['rm -rf', 'rmdir x'],
    ['git push --force', 'git push origin main'],
    ['git push', 'git commit -m push'],
    ['find -delete', 'find . -name delete'],
    ['kubectl delete', 'kubectl get delete'],
  ])('%s does not forbid %s', (entry, command) => expect(denied(entry, command)).toBe(false));
});
