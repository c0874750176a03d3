// `hermes doctor` as an operator starts it, on homes with real faults.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellQuote } from '../../../src/base/shell-quote.ts';
import { openStore } from '../../../src/store/open.ts';
import { startModelServer } from '../../doubles/model-server.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { steeredClock } from '../../fixtures/steered-clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { callHermes } from '../call-hermes.ts';
import { runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'doctor-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const path = (...names: string[]): string => join(home, ...names);
const mode = (file: string): number => statSync(file).mode & 0o777;

interface Told {
  readonly code: number | null;
  readonly areas: Readonly<Record<string, { state: string; said: string }>>;
  readonly findings: readonly {
    number: number;
    area: string;
    subject: string;
    severity: string;
    message: string;
    fix: string;
    state: string;
  }[];
  readonly backends: readonly Record<string, unknown>[];
}

const LOCAL = { TERMINAL_ENV: 'local' };

async function doctor(env: Readonly<Record<string, string>> = LOCAL, ...flags: string[]): Promise<Told> {
  const { code, stdout, stderr } = await runProgram(
    [process.execPath, program, 'doctor', '--json', ...flags],
    {
      env: { ...env, HERMES_HOME: home },
    },
  );
  if (stdout === '') throw new Error(stderr);
  const { areas, ...rest } = JSON.parse(stdout);
  const byName = Object.fromEntries(areas.map((each: { area: string }) => [each.area, each]));
  return { code, areas: byName, ...rest };
}

describe('hermes doctor', () => {
  it('says that all is well, and makes a real sandbox to know it', async () => {
    await (await openStore(home)).close();
    const { code, areas, findings, backends } = await doctor();
    expect([code, findings]).toEqual([0, []]);
    const expected = { backend: 'local', isolation: 'none', problems: [], limits: { memory: 'none' } };
    expect(backends).toMatchObject([expected]);
    expect(Object.entries(areas).map(([name, { state }]) => [name, state])).toEqual([
      ['environment', 'ok'],
      ['config', 'ok'],
      ['home', 'ok'],
      ['database', 'ok'],
      ['disk', 'ok'],
      ['clock', 'ok'],
      ['backends', 'ok'],
      ['versions', 'ok'],
      ['model', 'not checked'],
      ['platforms', 'not checked'],
    ]);
  });

  it('mends modes with --fix and without it only says how', async () => {
    writeFileSync(path('.env'), 'X=1\n');
    chmodSync(path('.env'), 0o644);
    chmodSync(home, 0o755);
    const first = await doctor();
    expect([first.code, mode(home), mode(path('.env'))]).toEqual([1, 0o755, 0o644]);
    expect(first.findings.map(({ number, fix, state }) => [number, fix, state])).toEqual([
      [1, `chmod 700 ${home}, or: hermes doctor --fix`, 'can be mended'],
      [2, `chmod 600 ${path('.env')}, or: hermes doctor --fix`, 'can be mended'],
    ]);
    const fixed = await doctor(LOCAL, '--fix');
    expect([fixed.code, fixed.areas['home']?.state]).toEqual([0, 'ok']);
    expect(fixed.findings.map(({ state }) => state)).toEqual(['mended', 'mended']);
    expect([mode(home), mode(path('.env'))]).toEqual([0o700, 0o600]);
    expect((await doctor()).findings).toEqual([]);
  });

  it('makes the home with --fix', async () => {
    rmSync(home, { recursive: true });
    const first = await doctor();
    expect([first.code, first.findings[0]?.severity]).toEqual([0, 'warning']);
    await doctor(LOCAL, '--fix');
    expect(readdirSync(home).sort()).toEqual(['backups', 'logs']);
    expect([mode(home), mode(path('logs'))]).toEqual([0o700, 0o700]);
  });

  it('lists every problem of the configuration, and checks what needs none', async () => {
    writeFileSync(path('config.yaml'), 'terminal:\n  timeout: soon\n  bakend: docker\n');
    chmodSync(home, 0o750);
    const { code, areas, findings } = await doctor({});
    expect(code).toBe(1);
    expect(findings.map(({ area, message, fix }) => [area, message, fix])).toEqual([
      [
        'config',
        expect.stringContaining('terminal.timeout = "soon"'),
        expect.stringContaining('a whole number'),
      ],
      ['config', expect.stringContaining('terminal.bakend'), 'did you mean terminal.backend?'],
      ['home', expect.stringContaining('0750'), expect.any(String)],
      ['home', expect.any(String), expect.stringContaining('config.yaml')],
    ]);
    expect(areas['backends']).toMatchObject({ state: 'not checked' });
    expect(areas['disk']).toMatchObject({ state: 'ok' });
  });

  it('finds a damaged database and leads to the backups', async () => {
    await (await openStore(home)).close();
    const whole = statSync(path('state.db')).size;
    writeFileSync(path('state.db'), Buffer.alloc(whole - 4096, 'x'));
    const { code, findings } = await doctor();
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { area: 'database', fix: expect.stringContaining('hermes backup restore') },
    ]);
  });

  it('notices that the clock was set back', async () => {
    await (await openStore(home)).close();
    const tomorrow = Date.now() / 1000 + 86_400;
    utimesSync(path('state.db'), tomorrow, tomorrow);
    const { code, findings } = await doctor();
    expect([code, findings[0]?.area]).toEqual([1, 'clock']);
  });

  it('numbers what it finds, says what to do, and exits 1', async () => {
    const { code, stdout } = await runProgram([process.execPath, program, 'doctor'], {
      env: { HERMES_HOME: home, TERMINAL_ENV: 'docker', DOCKER_HOST: `unix://${home}/no.sock` },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('does not');
    expect(stdout).toMatch(/^1\. docker: .+\n(?: {3}.+\n)* {3}fix: .+/m);
    const [tables = ''] = stdout.split('\n\n1. ');
    expect(Math.max(...tables.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });

  it('sees a disk that is nearly full', async context => {
    if (process.getuid?.() !== 0) return context.skip('not run: only root can mount a small disk');
    const command = [process.execPath, program].map(shellQuote).join(' ');
    const script = `mount -t tmpfs -o size=8m,mode=700 tmpfs ${shellQuote(home)} || exit 99
      exec ${command} doctor --json`;
    const { code, stdout, stderr } = await runProgram(['unshare', '--mount', 'bash', '-c', script], {
      env: { ...LOCAL, HERMES_HOME: home },
    });
    if (code === 99) return context.skip(`not run: ${stderr.trim()}`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([{ area: 'disk', severity: 'error' }]);
  });
});

describe('the model', () => {
  const env = (url: string) => ({ ...LOCAL, OPENAI_API_KEY: 'a-key-of-words-only', MODEL_URL: url });
  const write = () =>
    writeFileSync(path('config.yaml'), 'model:\n  name: test-model\n  base_url: ${MODEL_URL}\n', {
      mode: 0o600,
    });

  it('is asked, and warned of when it calls no tools', async () => {
    write();
    const script = [[{ call: { name: 'report', input: { word: 'ready' } } }], [{ text: 'Ready!' }]];
    const server = await startModelServer(script, { key: 'a-key-of-words-only', models: ['test-model'] });
    try {
      const good = await doctor(env(server.openAiUrl));
      expect([good.code, good.areas['model']?.state]).toEqual([0, 'ok']);
      expect(good.areas['model']?.said).toMatch(/^test-model answers in \d+ ms$/);
      const talker = await doctor(env(server.openAiUrl));
      expect([talker.code, talker.findings[0]?.message]).toEqual([
        0,
        expect.stringContaining('does not call tools'),
      ]);
      const wrongKey = await doctor({ ...env(server.openAiUrl), OPENAI_API_KEY: 'wrong-key-of-words' });
      expect([wrongKey.code, wrongKey.areas['model']?.state]).toEqual([1, 'error']);
    } finally {
      await server.stop();
    }
  });

  it('that takes the question and never answers is a finding, and everything else is reported', async () => {
    write();
    await using server = await startModelServer([[{ silence: true }]]);
    const clock = steeredClock({ longMs: 20_000 });
    const ended: string[] = [];
    const running = callHermes(['doctor', '--json'], {
      ...{ env: { ...env(server.openAiUrl), HERMES_HOME: home }, clock },
      end: () => ended.push('asked'),
    });
    await server.arrived(1);
    clock.passLongTime();
    const { code, stdout, stderr } = await running;
    expect(stderr).not.toContain('error');
    const { areas, findings } = JSON.parse(stdout);
    expect([code, ended]).toEqual([1, ['asked']]);
    expect(findings).toMatchObject([
      { area: 'model', severity: 'error', message: 'The check timed out after 30 s.' },
    ]);
    expect(areas.map(({ area, state }: { area: string; state: string }) => `${area}: ${state}`)).toEqual([
      ...['environment', 'config', 'home', 'database', 'disk', 'clock', 'backends', 'versions'].map(
        area => `${area}: ${area === 'database' ? 'not checked' : 'ok'}`,
      ),
      'model: error',
      'platforms: not checked',
    ]);
  });
});

describe('a platform', () => {
  it('is asked for its account, and no message is taken from it', async () => {
    const telegram = await startTelegram();
    try {
      telegram.say(7, 'hello');
      const env = { ...LOCAL, TELEGRAM_API_ROOT: telegram.apiRoot };
      const good = await doctor({ ...env, TELEGRAM_BOT_TOKEN: telegram.token });
      expect([good.code, good.areas['platforms']?.said]).toEqual([
        0,
        `telegram as @${telegram.bot.username}`,
      ]);
      expect([telegram.unacknowledged, telegram.calls.map(({ method }) => method)]).toEqual([1, ['getMe']]);
      const bad = await doctor({ ...env, TELEGRAM_BOT_TOKEN: '999:wrong' });
      expect(bad.code).toBe(1);
      expect(bad.findings).toMatchObject([{ area: 'platforms', subject: 'telegram', severity: 'error' }]);
      expect(JSON.stringify(bad)).not.toContain('999:wrong');
    } finally {
      await telegram.close();
    }
  });
});

describeWith('bubblewrap', () => {
  it('with auto one backend has to work; the others are warnings', async () => {
    const env = { DOCKER_HOST: `unix://${home}/no.sock` };
    const { code, findings, backends, areas } = await doctor(env);
    expect(backends.map(({ backend }) => backend)).toEqual(['docker', 'bubblewrap', 'local']);
    expect(findings.filter(({ subject }) => subject === 'docker')).toMatchObject([{ severity: 'warning' }]);
    expect([code, areas['backends']]).toMatchObject([0, { said: 'bubblewrap, local work' }]);
    expect(areas['versions']?.said).toMatch(/bubblewrap \d/);
  });
});
