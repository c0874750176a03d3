import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHermesError } from '../base/errors.ts';
import { choice, commaListOf, duration, flag, integer, listOf, text, variableName } from '../base/kinds.ts';
import { defineSection, optional, setting } from '../base/setting.ts';
import { loadConfig } from './load.ts';
import type { Problem } from './problem.ts';

const demo = defineSection({
  title: 'Demo',
  doc: 'For tests.',
  settings: {
    'terminal.timeout': setting(integer(1, 100, 'seconds'), {
      default: 50,
      env: 'TERMINAL_TIMEOUT',
      doc: '.',
    }),
    'terminal.backend': optional(choice(['docker', 'local']), { env: 'TERMINAL_ENV', doc: '.' }),
    'terminal.names': setting(listOf(variableName()), { default: [], env: 'TERMINAL_NAMES', doc: '.' }),
    'approvals.mode': setting(choice(['manual', 'off'], { wordForFalse: 'off' }), {
      default: 'manual',
      doc: '.',
    }),
    'gateway.users': setting(commaListOf(text('ids')), { default: [], env: 'USERS', doc: '.' }),
    'gateway.keep': setting(duration(0, 1_000_000), { default: 60, doc: '.' }),
    'chat.token': optional(text(), { env: 'CHAT_TOKEN', secret: true, doc: '.' }),
    strict: setting(flag(), { default: true, env: 'STRICT', doc: '.' }),
  },
});

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-config-'));
});
afterEach(() => rm(home, { recursive: true }));

interface Given {
  yaml?: string;
  dotenv?: string;
  env?: Record<string, string>;
  flags?: Record<string, string>;
}

async function load({ yaml, dotenv, env = {}, flags = {} }: Given) {
  if (yaml !== undefined) await writeFile(join(home, 'config.yaml'), yaml);
  if (dotenv !== undefined) await writeFile(join(home, '.env'), dotenv, { mode: 0o600 });
  return loadConfig({
    sections: [demo],
    environment: { ...env, HERMES_HOME: home },
    flags: Object.fromEntries(
      Object.entries(flags).map(([key, value]) => [key, { flag: '--f', text: value }]),
    ),
  });
}

async function problemsOf(given: Given): Promise<readonly Problem[]> {
  try {
    await load(given);
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
    return error.details['problems'] as readonly Problem[];
  }
  return [];
}

describe('which source wins', () => {
  const all: Given = {
    yaml: 'terminal:\n  timeout: 1\n',
    dotenv: '# c\nTERMINAL_TIMEOUT=2\n',
    env: { TERMINAL_TIMEOUT: '3' },
    flags: { 'terminal.timeout': '4' },
  };

  it.each([
    [4, all, { from: 'flag', name: '--f' }],
    [3, { ...all, flags: {} }, { from: 'environment', name: 'TERMINAL_TIMEOUT' }],
    [2, { ...all, flags: {}, env: {} }, { from: 'dotenv', line: 2, name: 'TERMINAL_TIMEOUT' }],
    [1, { yaml: all.yaml ?? '' }, { from: 'file', line: 2 }],
    [50, {}, { from: 'default' }],
  ])('%i', async (value, given, origin) => {
    const config = await load(given);
    expect(config.get('terminal.timeout')).toBe(value);
    expect(config.origin('terminal.timeout')).toMatchObject(origin);
  });

  it('an empty variable is as good as none', async () => {
    const config = await load({ env: { TERMINAL_TIMEOUT: '' }, dotenv: 'STRICT=\n' });
    expect(config.get('terminal.timeout')).toBe(50);
    expect(config.get('strict')).toBe(true);
  });

  it('an empty YAML value is as good as none', async () => {
    const config = await load({ yaml: 'terminal:\n  timeout:\napprovals:\n' });
    expect(config.get('terminal.timeout')).toBe(50);
  });
});

describe('values', () => {
  it('take the forms that users write', async () => {
    const config = await load({
      yaml: 'approvals: {mode: false}\ngateway:\n  keep: 2h\n  users: [12345, "@bob"]\nstrict: false\n',
      env: { TERMINAL_NAMES: '["A","B"]' },
    });
    expect(config.get('approvals.mode')).toBe('off');
    expect(config.get('gateway.keep')).toBe(7200);
    expect(config.get('gateway.users')).toEqual(['12345', '@bob']);
    expect(config.get('terminal.names')).toEqual(['A', 'B']);
    expect(config.get('strict')).toBe(false);
  });

  it('read flags and lists from variables', async () => {
    const config = await load({ env: { STRICT: 'No', USERS: ' 1, 2 ,,3' } });
    expect(config.get('strict')).toBe(false);
    expect(config.get('gateway.users')).toEqual(['1', '2', '3']);
  });

  it('expand ${VAR} from the environment, then from .env, and keep $${VAR}', async () => {
    const config = await load({
      yaml: 'terminal:\n  timeout: ${T}\ngateway:\n  users: ["${A}-${B}", "$${A}"]\n',
      dotenv: 'A=dotenv\nB=b\n',
      env: { T: '7', A: 'env' },
    });
    expect(config.get('terminal.timeout')).toBe(7);
    expect(config.get('gateway.users')).toEqual(['env-b', '${A}']);
  });

  it('cannot be changed', async () => {
    const config = await load({});
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('keep variables and secrets at hand for those who need them', async () => {
    const config = await load({ dotenv: "KEY='a b'\nCHAT_TOKEN=t0ken\n", env: { OTHER: 'o' } });
    expect(config.variable('KEY')).toBe('a b');
    expect(config.variable('OTHER')).toBe('o');
    expect(config.variable('NONE')).toBeUndefined();
    expect(config.secretValues()).toEqual(['a b', 't0ken']);
  });
});

describe('problems', () => {
  it('come all at once, each with place, value, what is accepted and the nearest name', async () => {
    const problems = await problemsOf({
      yaml: 'terminal:\n  backend: docer\n  timeout: 500\n  timout: 3\nstrict: 1\n',
      dotenv: 'TERMINAL_TIMEOUT=soon\n',
      env: { TERMINAL_NAMES: '[1' },
      flags: { 'terminal.backnd': 'x' },
    });
    const config = join(home, 'config.yaml');
    expect(problems).toEqual([
      expect.objectContaining({ where: `${home}/.env:1 (TERMINAL_TIMEOUT)`, value: '"soon"' }),
      {
        where: `${config}:2`,
        key: 'terminal.backend',
        value: '"docer"',
        message: 'this value is not accepted',
        accepted: 'docker, local',
        nearest: 'docker',
      },
      expect.objectContaining({ where: `${config}:3`, accepted: 'a whole number of seconds from 1 to 100' }),
      expect.objectContaining({ where: `${config}:4`, key: 'terminal.timout', nearest: 'terminal.timeout' }),
      expect.objectContaining({ where: `${config}:5`, value: '1', accepted: 'true or false' }),
      expect.objectContaining({ where: 'environment variable TERMINAL_NAMES', value: '"[1"' }),
      expect.objectContaining({ where: 'flag --f', key: 'terminal.backnd', nearest: 'terminal.backend' }),
    ]);
  });

  it('are reported even where a stronger source would win', async () => {
    const problems = await problemsOf({ yaml: 'terminal: {timeout: x}', env: { TERMINAL_TIMEOUT: '3' } });
    expect(problems).toHaveLength(1);
  });

  it('never show a secret', async () => {
    const problems = await problemsOf({ yaml: 'chat:\n  token: [hunter2]\n' });
    expect(problems[0]).toMatchObject({ key: 'chat.token', value: '***' });
  });

  it('P7: never show a secret that was put in the wrong place', async () => {
    const misplaced = await problemsOf({
      dotenv: 'KEY=hunter2hunter2\n',
      yaml: 'terminal:\n  timeout: ${KEY}\n',
    });
    expect(misplaced[0]).toMatchObject({ key: 'terminal.timeout', value: '***' });
    const section = await problemsOf({ yaml: 'chat: hunter2hunter2\n' });
    expect(section[0]).toMatchObject({ key: 'chat', value: '***' });
  });

  it.each([
    ['a tab for indentation', 'terminal:\n\ttimeout: 3\n', /config\.yaml:2$/],
    ['the same key twice', 'strict: true\nstrict: false\n', /config\.yaml:2$/],
    ['an open bracket', 'terminal: {timeout: 3\n', /config\.yaml:\d+$/],
    ['a list instead of a mapping', '- a\n', /config\.yaml:1$/],
    ['a section that is text', 'strict: true\nterminal: docker\n', /config\.yaml:2$/],
  ])('malformed YAML: %s', async (_title, yaml, where) => {
    const problems = await problemsOf({ yaml });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.where).toMatch(where);
  });

  it('a variable that is not set', async () => {
    const problems = await problemsOf({ yaml: 'gateway:\n  users: ["${NOPE}"]\n' });
    expect(problems[0]?.message).toContain('${NOPE} is set neither');
  });

  it('a line of .env that says nothing, but not the lines of a quoted value', async () => {
    const problems = await problemsOf({ dotenv: 'A="one\ntwo"\n# c\n\nexport B=1\nnonsense\n' });
    expect(problems.map(problem => problem.where)).toEqual([`${home}/.env:6`]);
  });

  it('a YAML bomb is refused, not expanded', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(10)}]`,
    );
    await expect(load({ yaml: `l0: &l0 [x]\n${levels.join('\n')}\n` })).rejects.toThrow();
  });
});

describe('what belongs to others', () => {
  it('is named once as ignored', async () => {
    const config = await load({
      yaml: 'skills: {a: 1}\nvoice:\n  on: true\nunheard_of:\n  x: 1\nmodel: some/name\n',
    });
    const said = config.notices.filter(notice => notice.includes('ignored'));
    expect(said).toEqual([expect.stringContaining('skills, voice, unheard_of')]);
  });

  it('does not excuse a slip in a name of ours', async () => {
    const problems = await problemsOf({ yaml: 'terminl:\n  timeout: 3\n' });
    expect(problems[0]).toMatchObject({ key: 'terminl', nearest: 'terminal' });
  });

  it('a variable with our prefix that is no setting gets a word, not an error', async () => {
    const config = await load({ env: { TERMINAL_TIMOUT: '3' } });
    expect(config.notices[0]).toContain('did you mean TERMINAL_TIMEOUT?');
  });
});

describe('files', () => {
  it('that cannot be read stop the start', async () => {
    await mkdir(join(home, 'config.yaml'));
    await expect(load({})).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
  });

  it('with secrets that others can read are pointed out', async () => {
    await writeFile(join(home, '.env'), 'A=b\n');
    await chmod(join(home, '.env'), 0o644);
    expect((await load({})).notices[0]).toContain('chmod 600');
  });
});
