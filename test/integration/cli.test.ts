// The CLI in the clone as a process: what only real pipes, shells and disks can show.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellQuote } from '../../src/base/shell-quote.ts';
import { type ProgramOptions, runProgram } from './run-program.ts';

const entry = join(import.meta.dirname, '../../bin/hermes.js');
const command = [process.execPath, entry].map(shellQuote).join(' ');

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(() => rm(home, { recursive: true }));

const hermes = (args: readonly string[], options: ProgramOptions = {}) =>
  runProgram([process.execPath, entry, ...args], { env: { HERMES_HOME: home }, ...options });

describe('hermes', () => {
  it('prints its help and exits 0 without any word', async () => {
    const { code, stdout, stderr } = await hermes([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: hermes');
  });

  it('ends without a word when nobody reads its output', async () => {
    const { code, stderr } = await hermes(['config', 'show'], { closeOutput: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('says so when its output cannot be written', async () => {
    const { code, stderr } = await runProgram(['bash', '-c', `${command} config show >/dev/full`]);
    expect(code).toBe(74);
    expect(stderr).toMatch(/^error: the output cannot be written: ENOSPC.*\n$/);
  });
});

describe('completion in bash', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const typed = ['hermes', ...words];
    const script = `source <(${command} completion bash)
      COMP_WORDS=(${typed.map(shellQuote).join(' ')}) COMP_CWORD=${words.length}
      _hermes
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { code, stdout, stderr } = await runProgram(['bash', '-c', script]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.split('\n').filter(line => line !== '');
  };

  it.each([
    [['conf'], ['config']],
    [['config', 'sh'], ['show']],
    [['config', 'show', '--or'], ['--origin']],
    [['config', '--json', 'pa'], ['path']],
    [['config', 'set', 'terminal.time'], ['terminal.timeout']],
    [['completion', 'z'], ['zsh']],
    [['nonsense', ''], []],
  ])('%j', async (words, offered) => expect(await complete(...words)).toEqual(offered));
});

describe('a full disk', () => {
  it('leaves the old configuration, no lock and no temporary file', async context => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      return context.skip('not run: only root on Linux can mount a small disk');
    }
    const before = 'terminal:\n  timeout: 5\n';
    await writeFile(join(home, 'before'), before);
    // The disk is the namespace's own and goes with it.
    const script = `disk=${shellQuote(home)}/disk after=${shellQuote(home)}/after; mkdir "$disk" "$after"
      mount -t tmpfs -o size=16k tmpfs "$disk" || exit 99
      cp ${shellQuote(home)}/before "$disk/config.yaml"
      cat /dev/zero >"$disk/fill" 2>/dev/null
      HERMES_HOME=$disk ${command} config set terminal.timeout 7; code=$?
      cp -a "$disk/." "$after"; exit $code`;
    const { code, stderr } = await runProgram(['unshare', '--mount', 'bash', '-c', script]);
    if (code === 99) return context.skip(`not run: ${stderr.trim()}`);
    expect(stderr).toContain('CONFIG_NOT_SAVED');
    expect(stderr).toContain('the disk is full');
    expect(code).toBe(78);
    expect(await readFile(join(home, 'after/config.yaml'), 'utf8')).toBe(before);
    expect((await readdir(join(home, 'after'))).sort()).toEqual(['config.yaml', 'fill']);
  });
});
