// `hermes setup` as an operator meets it: by flags and question by question, against a real model server, a bot API and a sandbox.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../doubles/model-server.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { onTerminal } from '../chat/terminal.ts';
import { runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const READY = [{ call: { name: 'report', input: { word: 'ready' } } }];

let [home, notes] = ['', ''];
let model: ModelServer;
let telegram: TelegramDouble;
beforeEach(async () => {
  [home, notes] = [mkdtempSync(join(tmpdir(), 'setup-')), mkdtempSync(join(tmpdir(), 'setup-notes-'))];
  model = await startModelServer(() => READY, { key: 'a-key-of-words-only', models: ['test-model'] });
  telegram = await startTelegram();
});
afterEach(async () => {
  await Promise.all([model.stop(), telegram.close()]);
  for (const folder of [home, notes]) rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ HERMES_HOME: home, TELEGRAM_API_ROOT: telegram.apiRoot, NO_COLOR: '1' });
const text = (name: string): string =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '';

async function setup(words: readonly string[], { input = '', env = {} } = {}) {
  const { code, stdout, stderr } = await runProgram(
    [process.execPath, program, 'setup', '--json', ...words],
    {
      env: { ...environment(), ...env },
      input,
    },
  );
  return { code, stderr, steps: stdout === '' ? undefined : JSON.parse(stdout).steps };
}

describe('by flags', () => {
  it('tries all of it, saves it, and can be called again', async () => {
    const words = [
      ...['--model', 'test-model', '--base-url', model.openAiUrl, '--api-key-env', 'MY_KEY'],
      ...['--platform', 'telegram', '--backend', 'local', '--owner', 'telegram:42', '--yes'],
    ];
    const options = { input: `${telegram.token}\n`, env: { MY_KEY: 'a-key-of-words-only' } };
    const first = await setup(words, options);
    expect(first.code, first.stderr).toBe(0);
    expect(first.steps).toMatchObject([
      { step: 'model', outcome: 'set', said: expect.stringMatching(/^test-model of .* answers in \d+ ms$/) },
      { step: 'chat', outcome: 'set', said: `telegram as @${telegram.bot.username}` },
      { step: 'backend', outcome: 'set', said: expect.stringMatching(/^local, isolation none/) },
      { step: 'owner', outcome: 'set', said: 'telegram:42' },
    ]);
    // Nothing is contained there, and that is said.
    expect(first.stderr).toContain('local terminal backend');
    expect(text('config.yaml')).toMatch(/name: test-model/);
    expect(text('config.yaml')).toMatch(/api_key_env: MY_KEY/);
    expect(text('config.yaml')).toMatch(/terminal_backend: local/);
    expect(text('.env')).toBe(`TELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    expect(statSync(join(home, '.env')).mode & 0o777).toBe(0o600);
    const before = text('config.yaml');
    expect((await setup(words, options)).code).toBe(0);
    expect(text('config.yaml')).toBe(before);
    const people = await runProgram([process.execPath, program, 'people', 'list', '--json'], {
      env: environment(),
    });
    expect(JSON.parse(people.stdout).people).toMatchObject([{ userId: '42', role: 'owner' }]);
  });

  it.each([
    ['a token that Telegram refuses', ['--platform', 'telegram'], 77],
    ['a chat app that is none', ['--platform', 'telegramm'], 2],
    ['a chat app that needs no account', ['--platform', 'web'], 2],
    ['a model whose server refuses the key', ['--model', 'test-model'], 77],
    ['a backend that is none', ['--backend', 'docer'], 78],
    ['a backend that does not work', ['--backend', 'ssh'], 69],
    ['an owner that is nobody', ['--owner', 'somebody'], 2],
    ['nothing, where nobody can be asked', [], 2],
  ])('saves nothing of %s', async (_what, words, code) => {
    const at = words.includes('--model') ? ['--base-url', model.openAiUrl] : [];
    const outcome = await setup([...words, ...at], { input: '999:wrong' });
    expect([outcome.code, outcome.steps], outcome.stderr).toEqual([code, undefined]);
    expect(outcome.stderr).not.toContain('999:wrong');
    expect([text('config.yaml'), text('.env')]).toEqual(['', '']);
  });
});

it('takes a plain no, asks again what is neither yes nor no, and breaks no word at the end of a line', async () => {
  const typist = onTerminal([process.execPath, program, 'setup'], {
    env: { ...process.env, ...environment() },
    cwd: home,
    notes,
  });
  try {
    await typist.see('Set up a model?');
    typist.type('perhaps\n');
    await typist.see('Set up a model?');
    typist.type('n\n');
    await typist.see('Connect one (');
    typist.type('no\n');
    await typist.see('Where do commands of chats run');
    typist.type('local\n');
    await typist.see('Who is the owner');
    typist.type('nobody\n');
    await typist.see('Try again?');
    // Not taken for a no.
    typist.type('telegram:42\n');
    await typist.see('Try again?');
    typist.type('n\n');
    await typist.see('Start it: hermes start');
    expect(await typist.ended).toBe(0);
    const lines = typist.screen().split('\n');
    expect(lines.filter(line => line.length > 80)).toEqual([]);
    expect(lines.find(line => line.startsWith('owner'))).not.toMatch(/as it was .*as it was/);
  } finally {
    typist.kill();
  }
});

it('writes a backend for the command line alone without moving the chats', async () => {
  const { code, steps } = await setup(['--backend', 'local', '--backend-for', 'cli', '--yes']);
  expect(code).toBe(0);
  expect(steps[2]).toMatchObject({ outcome: 'set', said: expect.stringContaining('for the command line') });
  expect(text('config.yaml')).toMatch(/terminal:\n +backend: local/);
  expect(text('config.yaml')).toMatch(/terminal_backend: auto/);
  expect((await setup(['--backend', 'local', '--backend-for', 'all', '--yes'])).code).toBe(2);
});

it('asks what a backend is for that a flag names', async () => {
  const typist = onTerminal([process.execPath, program, 'setup', '--backend', 'local'], {
    env: { ...process.env, ...environment() },
    cwd: home,
    notes,
  });
  try {
    await typist.see('Set up a model?');
    typist.type('n\n');
    await typist.see('Connect one (');
    typist.type('\n');
    await typist.see('What is it for: chats, cli');
    typist.type('both\n');
    await typist.see('Who is the owner');
    typist.type('\n');
    await typist.see('Start it: hermes start');
    expect(await typist.ended).toBe(0);
  } finally {
    typist.kill();
  }
  expect(text('config.yaml')).toMatch(/terminal:\n +backend: local/);
  expect(text('config.yaml')).toMatch(/terminal_backend: local/);
});

it('asks question by question on a terminal, and again after a mistake', async () => {
  const typist = onTerminal([process.execPath, program, 'setup'], {
    env: { ...process.env, ...environment() },
    cwd: home,
    notes,
  });
  try {
    await typist.see('Set up a model?');
    typist.type('\n');
    await typist.see('How is it spoken to');
    typist.type('\n');
    await typist.see('Address of its server');
    typist.type(`${model.openAiUrl}\n`);
    await typist.see('Its key');
    typist.type('a-key-of-words-only\n');
    await typist.see('has: test-model');
    await typist.see('Which model?');
    typist.type('test-model\n');
    await typist.see('No chat app is connected. Connect one (');
    typist.type('telegram\n');
    await typist.see('Token that BotFather gave you. (not shown)');
    typist.type('999:wrong\n');
    await typist.see('Try again?');
    typist.type('\n');
    await typist.see('Connect one (');
    typist.type('telegram\n');
    await typist.see('Token that BotFather gave you. (not shown)');
    typist.type(`${telegram.token}\n`);
    await typist.see('Connected: telegram. Connect one (');
    typist.type('\n');
    await typist.see('Where do commands of chats run');
    typist.type('local\n');
    await typist.see('Who is the owner');
    typist.type('\n');
    await typist.see('Start it: hermes start');
    expect(await typist.ended).toBe(0);
    for (const secret of ['a-key-of-words-only', '999:wrong', telegram.token])
      expect(typist.screen()).not.toContain(secret);
  } finally {
    typist.kill();
  }
  expect(text('.env')).toBe(`OPENAI_API_KEY=a-key-of-words-only\nTELEGRAM_BOT_TOKEN=${telegram.token}\n`);
  expect(text('config.yaml')).toMatch(/terminal_backend: local/);
});
