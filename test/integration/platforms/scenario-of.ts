// The whole way on one platform, told by its column alone: a gateway as an operator starts it, a real sandbox, and the other
// side of the chat. A message is authorised, answered, its file sent, its dangerous command approved, its run stopped.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostProcessesOf } from '../../conformance/host-processes.ts';
import type { Column, Ground, Place, Seen } from '../../conformance-platforms/column.ts';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { destroyAll, startGateway } from '../scenario/stage.ts';
import { hermesAt } from '../sessions/hermes.ts';

const BACKEND = { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' };

export function platformScenario(column: Column): void {
  describeWith('bubblewrap', () => {
    it(`${column.name}: a message is authorised, answered, and its file, approval and stop work in a real sandbox`, async () => {
      const half = Promise.withResolvers<void>();
      const nap = `sleep 4711.${randomInt(1e9)}`;
      const scene = await openScene(column, scriptOf(nap, half.promise));
      await strangersAreKeptOut(scene, column);
      await answersAndSendsAFile(scene, column, () => half.resolve());
      await asksBeforeItDeletes(scene);
      await stops(scene, nap);
    }, 120_000);
  });
}

interface Scene {
  readonly peer: Ground['peer'];
  readonly model: ModelServer;
  /** A folder of the host that the sandbox has as `/data`. */
  readonly shared: string;
  /** The first message of the bot that fits, now or later. */
  answer(fits: (message: Seen) => boolean, place?: Place): Promise<Seen>;
  /** Says it, and resolves with the answer to it. */
  ask(text: string, fits: (message: Seen) => boolean): Promise<Seen>;
}

const call = (name: string, input: unknown) => ({ call: { name, input } });

function scriptOf(nap: string, half: Promise<void>): Script {
  return ({ lastText, results, messages }) => {
    const isOver = messages.at(-1)?.role === 'tool';
    const said = messages.findLast(({ role }) => role === 'user')?.text ?? lastText;
    if (said.includes('as a file')) {
      const mine = results.length;
      if (mine === 0) return [call('terminal', { command: 'echo $((1 + 2)) >out.txt; cat out.txt' })];
      if (mine === 1) return [call('send_file', { path: 'out.txt', caption: 'the sum' })];
      return [{ text: 'It is in ' }, { until: half }, { text: '**the file**.' }];
    }
    if (isOver) return [{ text: `Result: ${results.at(-1)}` }];
    if (said.includes('clean up')) return [call('terminal', { command: 'rm -rf /data/old' })];
    return [call('terminal', { command: `echo begun >/data/begun; ${nap}` })];
  };
}

async function openScene(column: Column, script: Script): Promise<Scene> {
  const [ground, model, home, shared] = await Promise.all([
    column.open(),
    startModelServer(script),
    mkdtemp(join(homedir(), '.hermes-scenario-')),
    mkdtemp(join(homedir(), '.hermes-shared-')),
  ]);
  await mkdir(join(shared, 'old'));
  // In the sandbox nobody is root.
  await chmod(shared, 0o777);
  await writeFile(
    join(home, 'config.yaml'),
    `gateway:\n  sandbox_volumes: [${JSON.stringify(`${shared}:/data`)}]\n`,
  );
  const { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE } = process.env;
  const passed = { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE, HOME: home, NO_COLOR: '1' };
  const words = [
    ...['gateway', 'start', '--json', '--set=gateway.http_port=0', '--set=model.name=test-model'],
    `--set=model.base_url=${model.openAiUrl}`,
  ];
  const env = { ...passed, HERMES_HOME: home, ...BACKEND, ...ground.environment };
  let stderr = '';
  const gateway = await startGateway(words, env, text => {
    stderr += text;
  });
  onTestFinished(async () => {
    await gateway.end('SIGTERM');
    await destroyAll(hermesAt(home, BACKEND));
    await Promise.all([ground.close(), model.stop()]);
    for (const folder of [home, shared]) await rm(folder, { recursive: true, force: true });
  });
  const { peer } = ground;
  const answer = async (fits: (message: Seen) => boolean, from: number, place?: Place): Promise<Seen> => {
    const look = (): Seen | undefined => peer.seen(place).slice(from).find(fits);
    await expect
      .poll(look, {
        timeout: PATIENCE_MS,
        message: `${stderr}\n${JSON.stringify(peer.seen(place).map(({ text }) => text))}`,
      })
      .toBeDefined();
    return look() as Seen; // it was there a moment ago, and nothing is taken away
  };
  const ask: Scene['ask'] = async (text, fits) => {
    const from = peer.seen().length;
    await peer.say({ text });
    return answer(fits, from);
  };
  const [greeting = ''] = gateway.greeting;
  await ask(`/claim ${/\/claim (\w+)/.exec(greeting)?.[1]}`, ({ text }) => /owner/i.test(text));
  return { peer, model, shared, ask, answer: (fits, place) => answer(fits, 0, place) };
}

async function strangersAreKeptOut({ peer, model, answer }: Scene, { powers }: Column): Promise<void> {
  if (!powers.includes('otherSays')) return;
  await peer.otherSays?.('let me in');
  // A code for the owner to approve; nothing else happens.
  await answer(({ text }) => /code/i.test(text), 'other');
  expect(model.requests).toHaveLength(0);
}

async function answersAndSendsAFile(
  { peer, ask, answer }: Scene,
  { capabilities }: Column,
  goOn: () => void,
): Promise<void> {
  const text = 'Sum 1 and 2, as a file.';
  if (capabilities.edits) {
    const half = await ask(text, each => /It is in/.test(each.text));
    expect(half.text).not.toContain('the file');
    goOn();
    await answer(each => each.id === half.id && each.text.includes('It is in the file.'));
  } else {
    goOn();
    await ask(text, each => /It is in \W*the file\W*/.test(each.text));
  }
  const sent = await answer(({ file }) => file !== undefined);
  expect([sent.file?.name, Buffer.from(sent.file?.bytes ?? []).toString()]).toEqual(['out.txt', '3\n']);
  expect(
    peer
      .seen()
      .map(each => each.text)
      .join('\n'),
  ).toContain('the sum');
}

async function asksBeforeItDeletes({ peer, ask, answer, shared }: Scene): Promise<void> {
  const isCard = ({ text }: Seen): boolean => text.includes('rm -rf /data/old') && text.includes('/approve ');
  const card = await ask('Please clean up.', isCard);
  expect(existsSync(join(shared, 'old'))).toBe(true);
  const once = card.buttons.find(({ label }) => label === 'Once');
  if (once && peer.press) await peer.press(card, once.data);
  else await peer.say({ text: `/approve ${/\/approve (\w+)/.exec(card.text)?.[1]} once` });
  const { text } = await answer(each => each.text.startsWith('Result:'));
  expect(existsSync(join(shared, 'old')), text).toBe(false);
}

async function stops({ peer, ask, shared }: Scene, nap: string): Promise<void> {
  await peer.say({ text: 'work for long' });
  await expect.poll(() => existsSync(join(shared, 'begun')), { timeout: PATIENCE_MS }).toBe(true);
  await expect.poll(() => hostProcessesOf(nap), { timeout: PATIENCE_MS }).not.toEqual([]);
  await ask('/stop', ({ text }) => /stopped/i.test(text));
  await expect.poll(() => hostProcessesOf(nap), { timeout: PATIENCE_MS }).toEqual([]);
}
