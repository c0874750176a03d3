// hermes chat for scripts: one question, one answer, nobody to ask.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { chatHome } from './home.ts';

it('answers, says on the side what it did, and leaves nothing behind', async () => {
  await using server = await startModelServer(({ results }) =>
    results.length === 0
      ? [{ text: 'I look.' }, { call: { name: 'terminal', input: { command: 'echo $((6 * 7))' } } }]
      : [{ text: `It is **${/\d+/.exec(results[0]?.split('\n')[1] ?? '')?.[0]}**.` }],
  );
  await using home = await chatHome(server.openAiUrl);
  const { code, stdout, stderr } = await home.hermes(['chat', '-q', 'What is six times seven?']);
  expect(stdout).toBe('I look.\nIt is **42**.\n');
  expect(stderr).toMatch(/^note: terminal echo \$\(\(6 \* 7\)\) \(\d\.\d s\)\n$/);
  expect(code).toBe(0);
  expect(server.requests[0]?.lastText).toContain('What is six times seven?');
  expect((await home.hermes(['sandbox', 'list'])).stdout).toBe('There are no sandboxes.\n');
});

it('denies what would have to be asked, and tells programs what it did', async () => {
  await using server = await startModelServer(({ results }) =>
    results.length === 0
      ? [{ call: { name: 'terminal', input: { command: 'rm -rf ~/precious' } } }]
      : [{ text: 'I may not.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  const { code, stdout, stderr } = await home.hermes(['chat', '-q', 'Delete it', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'answered',
    text: 'I may not.',
    tools: [{ tool: 'terminal', summary: 'rm -rf ~/precious', isError: true }],
    usage: { modelCalls: 2, toolCalls: 1 },
  });
  expect(server.requests[1]?.results[0]).toContain('nobody can be asked');
  expect(existsSync(join(home.person, 'precious'))).toBe(true);
});

it('takes the question, or what it is about, from a pipe', async () => {
  await using server = await startModelServer([[{ text: 'ok' }]]);
  await using home = await chatHome(server.openAiUrl);
  expect(await home.hermes(['chat'], { input: 'Who are you?\n' })).toMatchObject({ code: 0, stdout: 'ok\n' });
  await home.hermes(['chat', '-q', 'What is wrong?'], { input: 'error 17\n' });
  const long = `${'x'.repeat(40_000)}\n`;
  await home.hermes(['chat', '-q', 'And here?'], { input: long });
  const asked = server.requests.map(({ lastText }) => lastText);
  expect(asked[0]).toContain('Who are you?');
  expect(asked[1]).toMatch(/What is wrong\?\s+Standard input:\s+error 17/);
  expect(asked[2]).toContain('inbox/stdin.txt');
  expect(asked[2]).not.toContain('xxxx');
  expect(await home.hermes(['chat'], { input: '' })).toMatchObject({ code: 2 });
});

it('keeps files that the agent sends, and overwrites none', async () => {
  const write = { name: 'write_file', input: { path: 'report.txt', content: 'all well' } };
  const send = { name: 'send_file', input: { path: 'report.txt' } };
  await using server = await startModelServer(({ results }) =>
    results.length < 2 ? [{ call: results.length === 0 ? write : send }] : [{ text: 'There.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  const results = [];
  for (let count = 0; count < 2; count++) {
    const { stdout } = await home.hermes(['chat', '-q', 'Report', '--json']);
    results.push(JSON.parse(stdout).files);
  }
  const folder = join(home.home, 'received');
  expect(results).toEqual([[join(folder, 'report.txt')], [join(folder, 'report-2.txt')]]);
  expect(await readFile(join(folder, 'report-2.txt'), 'utf8')).toBe('all well');
});

it('ends with the whole error and its code when the model cannot be used', async () => {
  await using server = await startModelServer([[]], { key: 'k' });
  await using home = await chatHome(server.openAiUrl);
  const { code, stderr } = await home.hermes(['chat', '-q', 'Hi'], { env: { OPENAI_API_KEY: '' } });
  expect(code).toBe(77);
  expect(stderr).toMatch(/^error AUTH_MODEL_KEY: http.* wants a key, and there is none/m);
});

it('says how to set up a model where there is none, and runs commands all the same', async () => {
  await using home = await chatHome();
  const { code, stdout } = await home.hermes(['chat', '-q', 'Hi']);
  expect(code).toBe(0);
  expect(stdout).toContain('hermes model set');
  expect((await home.hermes(['chat', '-q', '!echo $((6 * 7))'])).stdout).toContain('42');
});

it('ends on Ctrl-C, and lets the server go', async () => {
  await using server = await startModelServer([[{ text: 'Well then. ' }, { silence: true }]]);
  await using home = await chatHome(server.openAiUrl);
  const { code, stdout } = await home.hermes(['chat', '-q', 'Hi'], { signalWhenReady: 'SIGINT' });
  expect({ code, stdout }).toEqual({ code: 130, stdout: 'Well then. \n' });
  await server.requests[0]?.gone;
});

describeWith('bubblewrap', () => {
  it('keeps its session and its sandbox, and --continue goes on with both', async () => {
    await using home = await chatHome();
    const env = { TERMINAL_ENV: 'bubblewrap' };
    await home.hermes(['chat', '-q', '!echo precious >note'], { env });
    const next = await home.hermes(['chat', '-c', '-q', '!cat note', '--json'], { env });
    expect(JSON.parse(next.stdout).text).toContain('precious');
    const { stdout } = await home.hermes(['sandbox', 'list', '--json'], { env });
    expect(JSON.parse(stdout).sandboxes).toMatchObject([{ state: 'suspended' }]);
  });
});
