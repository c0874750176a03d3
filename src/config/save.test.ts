import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { systemClock } from '../base/clock.ts';
import { integer, text } from '../base/kinds.ts';
import { optional, setting } from '../base/setting.ts';
import { saveSetting, withVariable, withYamlValue } from './save.ts';

const timeout = setting(integer(1, 9), { default: 1, doc: '.' });
const token = optional(text(), { env: 'TOKEN', secret: true, doc: '.' });

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-save-'));
});
afterEach(() => rm(root, { recursive: true }));

function options() {
  const home = join(root, 'home');
  return {
    paths: { home, config: join(home, 'config.yaml'), dotenv: join(home, '.env') },
    clock: systemClock,
  };
}

describe('saving a setting', () => {
  it('makes the home folder 0700 and the file 0600', async () => {
    const file = await saveSetting('terminal.timeout', timeout, 3, options());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(root, 'home'))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, 'utf8')).toBe('terminal:\n  timeout: 3\n');
  });

  it('sends secrets to .env', async () => {
    const file = await saveSetting('chat.token', token, 'abc', options());
    expect(file).toBe(options().paths.dotenv);
    expect(await readFile(file, 'utf8')).toBe('TOKEN=abc\n');
  });

  it('loses none of many changes made at once', async () => {
    const keys = Array.from({ length: 12 }, (_, at) => `terminal.key${at}`);
    await Promise.all(keys.map(key => saveSetting(key, timeout, 1, options())));
    const text = await readFile(options().paths.config, 'utf8');
    for (const key of keys) expect(text).toContain(`${key.split('.')[1]}: 1`);
  });

  it('refuses to touch a file that is not valid YAML', async () => {
    const { paths } = options();
    await saveSetting('a', timeout, 1, options());
    await writeFile(paths.config, 'a: [\n');
    await expect(saveSetting('a', timeout, 2, options())).rejects.toMatchObject({ code: 'CONFIG_NOT_SAVED' });
    expect(await readFile(paths.config, 'utf8')).toBe('a: [\n');
  });
});

describe('withYamlValue', () => {
  it('keeps comments, order and blank lines', () => {
    const before = '# mine\nterminal:\n  timeout: 5 # short\n\n  # why\n  cwd: /x\n';
    expect(withYamlValue(before, 'terminal.timeout', 20, 'f')).toBe(before.replace('5', '20'));
  });

  it('fills a section that is there but empty', () => {
    expect(withYamlValue('terminal:\n', 'terminal.timeout', 3, 'f')).toBe('terminal:\n  timeout: 3\n');
  });

  it.each([
    ['- a\n', 'it is no mapping'],
    ['terminal: 5\n', 'terminal in it is not written out as a section'],
    ['x: &x {a: 1}\nterminal: *x\n', 'terminal in it is not written out as a section'],
  ])('says why %j cannot be changed', (before, reason) => {
    expect(() => withYamlValue(before, 'terminal.timeout', 3, 'f')).toThrow(reason);
  });

  it('removes a setting', () => {
    expect(withYamlValue('a: 1\nb: 2\n', 'a', undefined, 'f')).toBe('b: 2\n');
  });
});

describe('withVariable', () => {
  it('replaces in place, drops repetitions, keeps the rest', () => {
    expect(withVariable('# c\nA=1\nB=2\nexport A=3\n', 'A', 'x')).toBe('# c\nA=x\nB=2\n');
    expect(withVariable('A=1', 'A', undefined)).toBe('');
  });

  it('writes what is read back the same, or refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), value => {
        let written: string;
        try {
          written = withVariable('', 'A', value);
        } catch (error) {
          expect(error).toMatchObject({ code: 'USAGE_BAD_ARGUMENTS' });
          return;
        }
        expect(parseEnv(written)['A']).toBe(value);
      }),
    );
  });
});
