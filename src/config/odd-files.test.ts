import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHermesError } from '../base/errors.ts';
import { integer, listOf, text } from '../base/kinds.ts';
import { defineSection, optional, setting } from '../base/setting.ts';
import { loadConfig } from './load.ts';
import type { Problem } from './problem.ts';

const demo = defineSection({
  title: 'Demo',
  doc: 'For tests.',
  settings: {
    'terminal.timeout': setting(integer(1, 100), { default: 50, env: 'TERMINAL_TIMEOUT', doc: '.' }),
    'terminal.cwd': optional(text(), { doc: '.' }),
    'terminal.names': setting(listOf(text()), { default: [], doc: '.' }),
    'agent.turns': setting(integer(1, 100), { default: 9, doc: '.' }),
  },
});

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-odd-'));
});
afterEach(() => rm(home, { recursive: true }));

const load = () => loadConfig({ sections: [demo], environment: { HERMES_HOME: home } });
const write = (name: string, content: string | Buffer) =>
  writeFile(join(home, name), content, { mode: 0o600 });

async function problemsOf(yaml: string): Promise<readonly Problem[]> {
  await write('config.yaml', yaml);
  try {
    await load();
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
    return error.details['problems'] as readonly Problem[];
  }
  return [];
}

describe('a file that cannot be a configuration is refused at once', () => {
  const cannot = (reason: string) => ({
    code: 'CONFIG_UNREADABLE',
    message: expect.stringContaining(reason),
  });

  it.each([
    ['bytes of another encoding', Buffer.from('terminal:\n  cwd: /h\xe9\n', 'latin1'), 'not UTF-8'],
    ['UTF-16', Buffer.from('\ufeffterminal:\n', 'utf16le'), 'not UTF-8'],
    ['NUL bytes', 'terminal:\n  timeout: 5\0\n', 'NUL'],
    ['more than a megabyte', `# ${'x'.repeat(1024 * 1024)}\n`, 'larger than 1 MiB'],
  ])('%s', async (_title, content, reason) => {
    await write('config.yaml', content);
    await expect(load()).rejects.toMatchObject(cannot(reason));
    await rm(join(home, 'config.yaml'));
    await write('.env', content);
    await expect(load()).rejects.toMatchObject(cannot(reason));
  });

  it('a pipe that nobody writes to', async () => {
    execFileSync('mkfifo', [join(home, 'config.yaml')]);
    await expect(load()).rejects.toMatchObject(cannot('not a regular file'));
  });

  it('a device', async () => {
    await symlink('/dev/zero', join(home, 'config.yaml'));
    await expect(load()).rejects.toMatchObject(cannot('not a regular file'));
  });

  it('a link to itself', async () => {
    await symlink('config.yaml', join(home, 'config.yaml'));
    await expect(load()).rejects.toMatchObject(cannot('lead in a circle'));
  });

  it('a home that is a file', async () => {
    await write('file', '');
    const loading = loadConfig({ sections: [demo], environment: { HERMES_HOME: join(home, 'file') } });
    await expect(loading).rejects.toMatchObject(cannot('not a folder'));
  });
});

describe('odd YAML', () => {
  it('a byte order mark is no part of the text', async () => {
    await write('config.yaml', '\ufeffterminal:\n  timeout: 5\n');
    await write('.env', '\ufeffTERMINAL_TIMEOUT=6\n');
    expect((await load()).get('terminal.timeout')).toBe(6);
  });

  it('aliases and merged mappings mean what they do elsewhere; own keys win', async () => {
    const yaml =
      'skills: &s {timeout: 3, cwd: /a}\nother: &o {cwd: /b}\nterminal:\n  timeout: 7\n  <<: [*o, *s]\n';
    await write('config.yaml', yaml);
    const config = await load();
    expect(config.get('terminal.timeout')).toBe(7);
    expect(config.get('terminal.cwd')).toBe('/b');
    await write('config.yaml', 'skills: &s {timeout: 3}\nterminal: *s\n');
    expect((await load()).get('terminal.timeout')).toBe(3);
  });

  it.each([
    ['an alias without anchor', 'terminal: *t\n', 1, '*t has no anchor'],
    ['an alias inside its own anchor', 'terminal: &t\n  cwd: *t\n', 2, '*t stands inside itself'],
    ['several documents', 'terminal: {timeout: 5}\n---\n{}\n', 2, 'only one document'],
    ['a key with a dot', 'agent: {turns: 3}\nterminal.timeout: 5\n', 2, 'a key with a dot'],
    [
      'aliases that multiply',
      `x: &a [l,l,l,l,l,l,l,l,l]\ny: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nterminal:\n  names: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
      4,
      'too many aliases',
    ],
  ])('%s is a problem with its line', async (_title, yaml, line, message) => {
    const found = (await problemsOf(yaml)).filter(problem => problem.where.endsWith(`:${line}`));
    expect(found.map(problem => problem.message).join()).toContain(message);
  });

  it('one slip does not fill the screen', async () => {
    expect((await problemsOf('['.repeat(2000))).length).toBeLessThanOrEqual(10);
  });

  it('many keys take no longer than they must', async () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n');
    expect(await problemsOf(`skills: 1\n${keys}\n`)).toHaveLength(20_000);
  });

  it('does not propose a section to somebody who named it', async () => {
    expect((await problemsOf('terminal:\n  toString: 1\n'))[0]).not.toHaveProperty('nearest');
  });
});

describe('odd .env', () => {
  it('a quote that is never closed is a problem', async () => {
    await write('.env', 'A=1\nB="x\n');
    await expect(load()).rejects.toThrow('never closed');
  });
});
