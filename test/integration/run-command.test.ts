// `hermes run` and `hermes shell` as a user starts them.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../services/use-service.ts';
import { type Ended, type ProgramOptions, runProgram } from './run-program.ts';

const program = join(import.meta.dirname, '../../bin/hermes.js');
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterAll(() => rm(home, { recursive: true }));

function hermes(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const env = { ...options.env, HERMES_HOME: home };
  return runProgram([process.execPath, program, ...args], { ...options, env });
}

describe('hermes run', () => {
  it('prints what the command prints and exits as it exits', async () => {
    expect(await hermes(['run', '--', 'echo ok; echo no >&2; exit 3'])).toMatchObject({
      code: 3,
      stdout: 'ok\n',
      stderr: 'no\n',
    });
  });

  it('takes a program and its arguments as they are', async () => {
    const { stdout } = await hermes(['run', '--', 'printf', '%s|', 'a b', '$HOME', "it's"]);
    expect(stdout).toBe("a b|$HOME|it's|");
  });

  it('exits 124 when the time limit passes, and says so', async () => {
    const { code, stdout, stderr } = await hermes(['run', '--timeout', '0.3', '--', 'sleep 30; echo AFTER']);
    expect({ code, stdout }).toEqual({ code: 124, stdout: '' });
    expect(stderr).toContain('time limit');
  });

  it('exits 130 on Ctrl-C, says so, and leaves nothing', async () => {
    const { code, stderr, stdout } = await hermes(['run', '--', 'echo $$; sleep 61'], {
      signalWhenReady: 'SIGINT',
    });
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted');
    await expect(stat(`/proc/${stdout.trim()}`)).rejects.toThrow('ENOENT');
  });

  it('says which signal ended the command', async () => {
    const { code, stderr } = await hermes(['run', '--', 'kill -SEGV $$']);
    expect(code).toBe(139);
    expect(stderr).toContain('SIGSEGV');
  });

  it('passes standard input on when asked', async () => {
    expect(
      (await hermes(['run', '--stdin', '--', 'wc -c'], { input: 'x'.repeat(100_000) })).stdout.trim(),
    ).toBe('100000');
    expect((await hermes(['run', '--', 'wc -c'], { input: 'ignored' })).stdout.trim()).toBe('0');
  });

  it('exits 130 on Ctrl-C while it waits for the end of the input', async () => {
    const { code, stdout } = await hermes(['run', '--stdin', '--', 'echo ran'], { interruptReading: true });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  });

  it('gives the whole result as JSON', async () => {
    const { code, stdout } = await hermes(['run', '--json', '--', 'echo hi; exit 7']);
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'exited',
      exitCode: 7,
      stdout: 'hi\n',
      truncated: false,
    });
  });

  it('P7: shows the command none of the gateway’s secrets', async () => {
    const { stdout } = await hermes(['run', '--', 'env; cat /proc/self/environ'], {
      env: { PLANTED: 'hunter2' },
    });
    expect(stdout).toContain('PATH=');
    expect(stdout).not.toContain('hunter2');
  });

  it.each([
    [['--cwd', '/does/not/exist', '--', 'echo ran'], 71, 'SANDBOX_CWD_MISSING'],
    [['--backend', 'docer', '--', 'echo ran'], 78, 'did you mean docker?'],
    [['--timeout', '0', '--', 'echo ran'], 2, 'above 0'],
    [['--timeout', 'soon', '--', 'echo ran'], 2, 'must be a number'],
    [[], 2, "Missing required argument 'command'"],
  ])('%j runs nothing', async (args, code, text) => {
    const result = await hermes(['run', ...args]);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(text);
  });
});

describeWith('bubblewrap', () => {
  const at = ['--backend', 'bubblewrap'];
  const sandboxes = async (): Promise<readonly Record<string, unknown>[]> =>
    JSON.parse((await hermes(['sandbox', 'list', '--json'])).stdout).sandboxes;

  it('keeps nothing unless asked; --keep keeps the files until their time is over, and --in uses them again', async () => {
    expect(await hermes(['run', ...at, '--', 'echo fresh >note'])).toMatchObject({ code: 0, stderr: '' });
    expect(await sandboxes()).toEqual([]);
    const kept = await hermes(['run', ...at, '--keep', '--', 'echo precious >note; exit 3']);
    expect(kept.code).toBe(3);
    const id = /hermes run --in (\w+) /.exec(kept.stderr)?.[1] ?? 'no id';
    expect(kept.stderr).toMatch(/is kept until \d{4}-/);
    const row = { id, state: 'suspended', backend: 'bubblewrap', drift: [], overAt: expect.any(Number) };
    expect(await sandboxes()).toMatchObject([row]);
    expect(await hermes(['run', '--in', id.slice(0, 6), '--', 'cat note'])).toMatchObject({
      code: 0,
      stdout: 'precious\n',
    });
    expect(await sandboxes()).toMatchObject([row]);
    expect((await hermes(['chat', '-c', '-q', '!ls'])).stderr).toContain('There is no chat to continue');
    expect((await hermes(['run', '--in', id, '--backend', 'local', '--', 'ls'])).stderr).toContain(
      'is on bubblewrap',
    );
    await hermes(['sandbox', 'destroy', id]);
    expect((await hermes(['run', '--in', id, '--', 'ls'])).stderr).toContain('is gone');
  });

  it('ends what was kept for too long, where no gateway does', async () => {
    const now = ['--set', 'gateway.sandbox_retention=0'];
    const { stderr } = await hermes(['run', ...at, ...now, '--keep', '--', 'true']);
    expect(stderr).toContain('Ended because their time was over: hermes-');
    expect(await sandboxes()).toEqual([]);
  });
});

it('hermes run --keep is refused where nothing could be kept', async () => {
  const { code, stderr } = await hermes(['run', '--backend', 'local', '--keep', '--', 'echo ran']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nothing to keep on local') });
});

describe('hermes shell', () => {
  it('keeps folder and variables from line to line, and exits with the last status', async () => {
    const { code, stdout } = await hermes(['shell'], { input: 'cd /usr\nX=5\necho $X $PWD\n(exit 9)\n' });
    expect({ code, stdout }).toEqual({ code: 9, stdout: '5 /usr\n' });
  });

  it('leaves on exit with that code, after which no line is run', async () => {
    const { code, stdout } = await hermes(['shell'], { input: 'echo one\nexit 4\necho two\n' });
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'one\n' });
  });

  it('takes a command over several lines: loops, quotes, here-documents, a backslash at the end', async () => {
    const input = [
      'for i in 1 2; do',
      '  echo "line $i',
      'of text"',
      'done',
      'cat <<END',
      'a $((1 + 1))',
      'END',
      'echo joi\\',
      'ned',
      'echo "never closed',
      '',
    ].join('\n');
    const { stdout, stderr } = await hermes(['shell'], { input });
    expect(stdout).toBe('line 1\nof text\nline 2\nof text\na 2\njoined\n');
    expect(stderr).toContain('unexpected EOF');
  });

  it('ends on SIGTERM also while it waits for a line', async () => {
    const { code } = await hermes(['shell'], {
      input: 'echo ready\n',
      signalWhenReady: 'SIGTERM',
      keepOpen: true,
    });
    expect(code).toBe(143);
  });

  it('P11: keeps its history private', async () => {
    await hermes(['shell'], { input: 'echo remembered\n' });
    const file = join(home, 'shell_history');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain('\0');
  });
});
