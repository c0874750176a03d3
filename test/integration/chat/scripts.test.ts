// hermes chat -q for scripts: what a pipe is, what exit codes say, and what is told of a run that was cut off.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { chatHome } from './home.ts';

it('gives what comes through a pipe to the command behind ! to read, and runs nothing of it', async () => {
  await using home = await chatHome();
  const input = 'log line\ntouch PWNED\n';
  const { code, stdout } = await home.hermes(['chat', '-q', '!cat'], { input });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(input) });
  const piped = await home.hermes(['chat'], { input: '!touch PWNED\n' });
  expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining("hermes chat -q '!ls'") });
  expect(existsSync(join(home.work, 'PWNED'))).toBe(false);
});

it('asks about what a pipe would make a command do', async () => {
  await using home = await chatHome();
  const { code } = await home.hermes(['chat', '-q', '!bash'], { input: 'rm -rf ~/precious\n' });
  expect(code).toBe(126);
  expect(existsSync(join(home.person, 'precious'))).toBe(true);
});

it('gives a command bytes of any kind and number', async () => {
  await using home = await chatHome();
  const bytes = randomBytes(300_000);
  const { stdout } = await home.hermes(['chat', '-q', '!sha256sum'], { input: bytes });
  expect(stdout).toContain(createHash('sha256').update(bytes).digest('hex'));
});

it('ends as the command behind ! does, and says what ! wants when it stands alone', async () => {
  await using home = await chatHome();
  expect(await home.hermes(['chat', '-q', '!exit 3'])).toMatchObject({ code: 3 });
  expect(await home.hermes(['chat', '-q', '!kill -TERM $BASHPID'])).toMatchObject({ code: 143 });
  const { code, stdout } = await home.hermes(['chat', '-q', '!exit 4', '--json']);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'answered',
    command: { outcome: 'exited', exitCode: 4 },
  });
  const alone = await home.hermes(['chat', '-q', ' ! ']);
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("'!ls'") });
});

it('ends with 1 when the turns are used up', async () => {
  const call = { name: 'terminal', input: { command: 'true' } };
  await using server = await startModelServer(() => [{ text: 'So far. ' }, { call }]);
  await using home = await chatHome(server.openAiUrl);
  const args = ['--set', 'agent.max_turns=2', 'chat', '-q', 'Go on for ever'];
  const { code, stdout } = await home.hermes([...args, '--json']);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    outcome: 'stopped',
    notices: [expect.stringContaining('agent.max_turns')],
  });
  expect(await home.hermes(args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('agent.max_turns'),
  });
});

it('tells what was cut off when a chat goes on that was killed', async () => {
  const call = { name: 'terminal', input: { command: 'echo be""gun; sleep 600' } };
  await using server = await startModelServer(({ lastText }) =>
    lastText.includes('sleep') ? [{ call }] : [{ text: 'Awake.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  for (const json of [[], ['--json']]) {
    const chat = home.terminal(['chat']);
    await chat.see('> ');
    chat.type('Please sleep\r');
    await chat.see('begun');
    await chat.killProgram();
    const next = await home.hermes(['chat', '--continue', '-q', 'Hello?', ...json]);
    expect(next.code).toBe(0);
    const told = json.length === 0 ? next.stderr : JSON.parse(next.stdout).notices[0];
    expect(told).toMatch(/Unknown whether it took effect:\s+• terminal: echo be""gun; sleep 600/);
    expect(told).not.toMatch(/gateway/i);
    expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toMatch(/gateway/i);
    expect((await home.hermes(['sandbox', 'list'])).stdout).not.toContain('leased');
  }
});

it('shows the operator who asks the whole reason why there is no sandbox, and what to do', async () => {
  const call = { name: 'terminal', input: { command: 'ls' } };
  await using server = await startModelServer(({ results }) =>
    results.length === 0 ? [{ call }] : [{ text: 'I cannot.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  const nowhere = ['--set', 'terminal.backend=docker'];
  const env = { DOCKER_HOST: `unix://${join(home.person, 'no.sock')}` };
  const itself = await home.hermes([...nowhere, 'chat', '-q', '!ls'], { env });
  expect(itself).toMatchObject({
    code: 69,
    stderr: expect.stringMatching(/error UNAVAILABLE_BACKEND: .*no\.sock.*DOCKER_HOST/),
  });
  const asked = await home.hermes([...nowhere, 'chat', '-q', 'Look', '--json'], { env });
  expect(JSON.parse(asked.stdout).notices).toEqual([expect.stringMatching(/no\.sock.*DOCKER_HOST/)]);
  expect(server.requests.at(-1)?.results[0]).not.toContain('no.sock');
  const missing = await home.hermes(['--set', 'terminal.cwd=/nope', 'chat', '-q', '!ls']);
  expect(missing.stderr).toMatch(/error SANDBOX_CWD_MISSING: The folder \/nope.*terminal\.cwd/);
});

it('calls what is no text by its name, and a server that cannot be asked so', async () => {
  await using server = await startModelServer([[{ text: 'ok' }]]);
  await using home = await chatHome(server.openAiUrl);
  await home.hermes(['chat', '-q', 'What is it?'], { input: Buffer.from([0, 1, 2, 255]) });
  expect(server.requests.at(-1)?.lastText).toContain('inbox/stdin.bin');
  const unreachable = ['--set', 'model.base_url=http://127.0.0.1:1/v1', 'chat', '-q', 'Hi'];
  expect((await home.hermes(unreachable)).stderr).toMatch(
    /error UNAVAILABLE_MODEL: http:\/\/127\.0\.0\.1:1\/v1 cannot be reached: bad port\. Does/,
  );
});

it('with --yolo asks nobody, says so loudly, and writes it down', async () => {
  await using home = await chatHome();
  const args = ['chat', '--yolo', '-q', '!rm -rf ~/precious'];
  await writeFile(join(home.home, 'config.yaml'), 'approvals:\n  deny: [rm]\n');
  expect(await home.hermes(args)).toMatchObject({
    code: 126,
    stdout: expect.stringContaining('approvals.deny'),
  });
  expect(existsSync(join(home.person, 'precious'))).toBe(true);
  await writeFile(join(home.home, 'config.yaml'), '');
  const { code, stderr } = await home.hermes(args);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^⚠ --yolo: nobody is asked/m);
  expect(stderr).toMatch(/^⚠ --yolo: this runs without a question:\n│ rm -rf ~\/precious\n│ • /m);
  expect(existsSync(join(home.person, 'precious'))).toBe(false);
  const audit = JSON.parse((await home.hermes(['audit', 'list', '--json'])).stdout) as {
    entries: { outcome: string }[];
  };
  expect(audit.entries.map(({ outcome }) => outcome)).toContain('yolo');
});

it('P7: hides secrets in what --yolo runs without a question', async () => {
  await using home = await chatHome();
  await writeFile(join(home.home, '.env'), 'MY_VALUE=quiet-river-4711\n', { mode: 0o600 });
  const token = `ghp_${'a8Kd03Lq'.repeat(4)}Zr5T`;
  const command = `!false && rm -rf ~/precious; echo quiet-river-4711 ${token}`;
  const { stderr } = await home.hermes(['chat', '--yolo', '-q', command]);
  expect(stderr).toContain('│ false && rm -rf ~/precious; echo [redacted:known] [redacted:github-token]');
  expect(stderr).not.toMatch(/quiet-river|ghp_/);
});
