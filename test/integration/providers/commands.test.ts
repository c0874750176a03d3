// hermes model list, set and test as processes, against a scripted server.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../doubles/model-server.ts';
import { callHermes } from '../call-hermes.ts';

const KEY = 'a-key-of-words-only';

let home: string;
let server: ModelServer;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'model-'));
  const script = [[{ text: 'Yes.' }, { call: { name: 'report', input: { word: 'ready' } } }]];
  server = await startModelServer(script, { key: KEY, models: ['small\u001b[31m', 'test-model'] });
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

function hermes(args: readonly string[], env: Readonly<Record<string, string>> = { OPENAI_API_KEY: KEY }) {
  return callHermes(args, {
    env: { HERMES_HOME: home, NO_COLOR: '1', ...env },
  });
}

it('goes from nothing to a model that works', async () => {
  const none = await hermes(['model', 'test']);
  expect(none).toMatchObject({ code: 78 });
  expect(none.stderr).toContain('No model is set.');

  const set = await hermes(['model', 'set', 'test-model', '--base-url', server.openAiUrl]);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).toBe(
    `test-model of ${server.openAiUrl} is the model now  (${home}/config.yaml)\nTry it: hermes model test\n`,
  );

  const list = await hermes(['model', 'list']);
  expect(list).toMatchObject({ code: 0, stdout: 'model\nsmall\ntest-model  in use\n' });

  const test = await hermes(['model', 'test']);
  expect(test.code).toBe(0);
  expect(test.stderr).toBe(`note: asking test-model of ${server.openAiUrl}\n`);
  expect(test.stdout).toMatch(
    /^works\nmodel +test-model\nserver +http:.*\n(.*\n){2}tools +called as asked\n/,
  );
  expect(test.stdout).toContain('10 read, 5 written');
});

it('speaks to Anthropic’s API as well, and to programs', async () => {
  const flags = ['--provider', 'anthropic', '--base-url', server.anthropicUrl];
  await hermes(['model', 'set', 'test-model', ...flags]);
  const env = { ANTHROPIC_API_KEY: KEY };
  const { stdout } = await hermes(['model', 'test', '--json'], env);
  const told: unknown = JSON.parse(stdout);
  expect(told).toMatchObject({ provider: 'anthropic', calledTool: true, answer: 'Yes.' });
  const list = await hermes(['model', 'list', 'TEST', '--json'], env);
  expect(JSON.parse(list.stdout)).toMatchObject({ models: [{ name: 'test-model', inUse: true }] });
});

it('checks everything before it writes anything', async () => {
  const bad = await hermes(['model', 'set', 'x', '--provider', 'anthropic', '--base-url', 'ftp://x']);
  expect(bad.code).toBe(78);
  expect(bad.stderr).toMatch(/--base-url.*an http or https address/s);
  await expect(readFile(join(home, 'config.yaml'))).rejects.toThrow('ENOENT');
});

it('says what is wrong with a key, and shows none', async () => {
  await hermes(['model', 'set', 'test-model', '--base-url', server.openAiUrl]);
  const wrong = await hermes(['model', 'test'], { OPENAI_API_KEY: 'a-wrong-key-of-words' });
  expect(wrong.code).toBe(77);
  expect(wrong.stderr).toContain('refuses the key from OPENAI_API_KEY');
  const named = { MY_KEY: KEY, OPENAI_API_KEY: '' };
  const args = ['model', 'list', '--set', 'model.api_key_env=MY_KEY'];
  expect(await hermes(args, named)).toMatchObject({ code: 0 });
  await using gossip = await startModelServer([[{ status: 400, message: `what is ${KEY}?` }]]);
  const asked = [
    'model',
    'test',
    '--set',
    'model.api_key_env=MY_KEY',
    '--set',
    `model.base_url=${gossip.openAiUrl}`,
  ];
  const { stderr } = await hermes(asked, named);
  expect(stderr).toContain('answered 400: what is [redacted');
  expect(stderr).not.toContain(KEY);
});
