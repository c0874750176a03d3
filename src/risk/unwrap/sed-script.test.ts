// A sed program is read as sed reads it: what it runs and what it writes, not words that look like it.
import { describe, expect, it } from 'vitest';
import { type SimpleCommand, UNKNOWN } from '../command.ts';
import { sedScripts } from './sed-script.ts';

function sed(...args: readonly string[]): ReturnType<typeof sedScripts> {
  const command: SimpleCommand = {
    program: 'sed',
    path: 'sed',
    args,
    assignments: new Map(),
    redirections: [],
    text: '',
    via: [],
    cwd: '.',
    substituted: [],
    variables: [],
  };
  return sedScripts(command);
}

describe('a sed program', () => {
  it.each([
    ['s/.*/rm x/e', ['rm x']],
    ['s/.*/rm -rf \\//e', ['rm -rf /']],
    ['s|^.*$|rm /x|ge', ['rm /x']],
    ['s/a/b/e', ['b', UNKNOWN]],
    ['s/.*/rm & \\1/e', [`rm ${UNKNOWN} ${UNKNOWN}`]],
    ['1e rm x', ['rm x']],
    ['$!{/a/,/b/e rm x\n}', ['rm x']],
    ['\\|a|e rm x', ['rm x']],
    ['e', [UNKNOWN]],
    ['s/a/b/;e rm x', ['rm x']],
    ['y/abc/xyz/;e rm x', ['rm x']],
    [':a;N;ba;e rm x', ['rm x']],
  ])('runs something: %s', (script, runs) => {
    expect(sed(script, 'f').runs).toEqual(runs);
  });

  it.each([
    's/a/b/g',
    's/one/e/',
    's/a;e /x/',
    's#a/e#b#',
    '/e x/d',
    'y/e/x/',
    '1i e rm x',
    '/x/a e rm x',
    '# e rm x',
    'b end;:end',
    '$!N;s/\\n/ /',
  ])('runs nothing: %s', script => {
    expect(sed(script, 'f')).toEqual({ runs: [], writes: [], reads: [] });
  });

  it('names the files it writes and reads', () => {
    expect(sed('-n', '-e', 'w /etc/x', '-e', 's/a/b/gw out', '-e', 'r in', 'f')).toEqual({
      runs: [],
      writes: ['/etc/x', 'out'],
      reads: ['in'],
    });
  });
});
