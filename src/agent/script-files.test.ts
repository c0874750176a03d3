import { describe, expect, it } from 'vitest';
import { filesRun } from './script-files.ts';

const paths = (command: string) => filesRun(command).map(({ path }) => path);
const states = (command: string) => filesRun(command).map(({ state }) => state);

describe('the files that a command runs', () => {
  it.each([
    ['bash x.sh', ['x.sh']],
    ['. ./x.sh', ['./x.sh']],
    ['source x.sh && ls', ['x.sh']],
    ['python3 x.py --flag', ['x.py']],
    ['node x.js', ['x.js']],
    ['./x', ['./x']],
    ['python3 < x', ['x']],
    ['cat x | sh', ['x']],
    ['cat a b | head -5 | python3 -', ['a', 'b']],
    ['env A=1 timeout 5 python3 -u sub/x.py', ['sub/x.py']],
    ['nohup ./x.sh >log 2>&1 &', ['./x.sh']],
    ['cd sub && python3 x.py', ['./sub/x.py']],
    ['bash -c "python3 x.py"', ['x.py']],
    ['(cd ~/a; sh b.sh)', ['~/a/b.sh']],
    ['node -r ./evil.js -e 1', ['./evil.js']],
    ['X=x.py; python3 $X', ['x.py']],
    ['sh <(cat x)', ['x']],
    ['/tmp/x', ['/tmp/x']],
    ['if true; then perl x.pl; fi', ['x.pl']],
  ])('%s', (command, expected) => {
    expect(paths(command)).toEqual(expected);
  });

  it.each([
    'ls x.sh',
    'python3 -c "print(1)"',
    'cat x.py',
    'bash -c ls',
    'vim x.sh',
    'git add x.sh',
    'echo x | sh',
  ])('none: %s', command => {
    expect(paths(command)).toEqual([]);
  });

  it('are perhaps the modules of the folder', () => {
    expect(filesRun('python3 -m tools.run x')).toEqual([
      { path: 'tools/run.py', language: 'python', state: 'perhaps' },
      { path: 'tools/run/__main__.py', language: 'python', state: 'perhaps' },
    ]);
  });

  it('are perhaps the rules of a program that builds', () => {
    expect(filesRun('make test').map(({ path, state }) => `${path} ${state}`)).toEqual([
      'GNUmakefile perhaps',
      'makefile perhaps',
      'Makefile perhaps',
    ]);
    expect(paths('make -C sub -f rules.mk')).toEqual(['sub/rules.mk']);
    expect(states('echo x > Makefile; make')).toContain('written');
  });

  it('are said to be untold, or written by the command itself', () => {
    expect(states('python3 "$(ls | head -1)"')).toEqual(['untold']);
    expect(states('cd "$D"; ./x')).toEqual(['untold']);
    expect(states('for f in *.py; do python3 $f; done')).toEqual(['untold']);
    expect(states('printf "rm x" > x.sh; bash ./x.sh')).toEqual(['written']);
    expect(states('curl -o x.sh https://a.example; sh x.sh')).toEqual(['written']);
  });
});
