// All five messengers at once in one gateway, as an operator starts it, with real sandboxes: what is one's own stays so, the
// gateway stays small, and one platform that does not work stops no other.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { scaled } from '../../soak.ts';
import { startGateway } from '../scenario/stage.ts';
import { hermesAt } from '../sessions/hermes.ts';
import { type Messenger, openMessengers } from './messengers.ts';

const PEOPLE = scaled(8, 20);
const MOST_MIB = 500;
const PATIENCE_MS = 120_000;
const BACKEND = { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' };
const CANARY = /canary-[0-9a-f]{16}/g;

const call = (command: string) => ({ call: { name: 'terminal', input: { command } } });

/** Keeps a word in the sandbox, and later tells what is kept there; or only answers. */
const script: Script = ({ lastText, messages, results }) => {
  if (lastText.includes('ping')) return [{ text: 'pong' }];
  if (messages.at(-1)?.role === 'tool') return [{ text: `Result: ${results.at(-1)}` }];
  const word = /keep (\S+)/.exec(lastText)?.[1];
  return [call(word ? `echo ${word} >>kept.txt; echo done` : 'cat kept.txt; ls | wc -l')];
};

interface Scene {
  readonly messengers: readonly Messenger[];
  readonly model: ModelServer;
  /** Largest that the gateway has been so far. */
  peakMiB(): Promise<number>;
  /** Such as `telegram connected`. */
  states(): Promise<readonly string[]>;
  /** Resolves when it stands in the chat of each. */
  each(who: readonly Who[], text: (who: Who) => RegExp): Promise<void>;
}

interface Who {
  readonly on: Messenger;
  readonly who: number;
  readonly canary: string;
}

interface Status {
  readonly pid: number;
  readonly platforms: readonly { readonly name: string; readonly state: string }[];
}

async function openScene(people: number, broken?: string): Promise<Scene> {
  const [messengers, model, home] = await Promise.all([
    openMessengers(people),
    startModelServer(script),
    mkdtemp(join(homedir(), '.hermes-scenario-')),
  ]);
  const { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE } = process.env;
  const passed = { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE, HOME: home, NO_COLOR: '1' };
  const settings = messengers.map(({ name, environment, broken: other }) =>
    name === broken ? other : environment,
  );
  const env = { ...passed, HERMES_HOME: home, ...BACKEND, ...Object.assign({}, ...settings) };
  const words = [
    ...['gateway', 'start', '--json', '--set=gateway.http_port=0', '--set=model.name=test-model'],
    `--set=model.base_url=${model.openAiUrl}`,
  ];
  let stderr = '';
  const gateway = await startGateway(words, env, text => {
    stderr += text;
  });
  const cli = hermesAt(home, BACKEND);
  onTestFinished(async () => {
    // Its sandboxes end with it, and their files go with the home.
    await gateway.end('SIGTERM');
    await Promise.all([...messengers.map(each => each.close()), model.stop()]);
    await rm(home, { recursive: true, force: true });
  });
  const status = async (): Promise<Status> =>
    ((await cli.json('gateway', 'status')) as { gateway: Status }).gateway; // our own program's
  const { pid } = await status();
  return {
    ...{ messengers, model },
    async peakMiB() {
      const said = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(said)?.[1]) / 1024;
    },
    async states() {
      return (await status()).platforms.map(({ name, state }) => `${name} ${state}`).toSorted();
    },
    async each(whos, text) {
      const missing = (): string[] =>
        whos.flatMap(one => {
          const isThere = one.on.seen(one.who).some(said => text(one).test(said));
          return isThere ? [] : [`${one.on.name} ${one.who}: ${JSON.stringify(one.on.seen(one.who))}`];
        });
      await expect.poll(missing, { timeout: PATIENCE_MS, message: stderr }).toEqual([]);
    },
  };
}

function crowdOf(messengers: readonly Messenger[], people: number): readonly Who[] {
  return messengers.flatMap(on =>
    Array.from({ length: people }, (_, who) => ({
      ...{ on, who },
      canary: `canary-${randomBytes(8).toString('hex')}`,
    })),
  );
}

describeWith('bubblewrap', () => {
  it(`five messengers with ${PEOPLE} sessions each: no word gets from one to another, in at most ${MOST_MIB} MB`, {
    timeout: 240_000,
  }, async () => {
    const { messengers, model, each, peakMiB, states } = await openScene(PEOPLE);
    expect(await states()).toEqual(messengers.map(({ name }) => `${name} connected`).toSorted());
    const crowd = crowdOf(messengers, PEOPLE);
    for (const { on, who, canary } of crowd) on.say(who, `Please keep ${canary}`);
    await each(crowd, () => /Result:[\s\S]*done/);
    for (const { on, who } of crowd) on.say(who, 'What is kept?');
    // One file in each sandbox, and nothing in it but one's own word.
    await each(crowd, ({ canary }) => new RegExp(`Result:[\\s\\S]*${canary}\\s+1\\b`));
    for (const { on, who, canary } of crowd) {
      const others = on.seen(who).flatMap(text => text.match(CANARY) ?? []);
      expect([...new Set(others)], `${on.name} ${who}`).toEqual([canary]);
    }
    for (const { body } of model.requests) {
      expect(new Set(JSON.stringify(body).match(CANARY) ?? []).size).toBe(1);
    }
    const peak = await peakMiB();
    console.info(`all five with ${crowd.length} sessions: the gateway took at most ${Math.round(peak)} MiB`);
    expect(peak).toBeLessThanOrEqual(MOST_MIB);
  });

  it.each(['telegram', 'discord', 'slack', 'whatsapp', 'signal'])(
    '%s is set up wrongly: the other four serve',
    { timeout: 120_000 },
    async broken => {
      const { messengers, each, states } = await openScene(1, broken);
      const crowd = crowdOf(messengers, 1).filter(({ on }) => on.name !== broken);
      for (const { on, who } of crowd) on.say(who, 'ping');
      await each(crowd, () => /pong/);
      expect((await states()).filter(state => !state.endsWith(' connected'))).toEqual([`${broken} failed`]);
    },
  );

  it('one after the other goes down while they work: the rest serves', { timeout: 120_000 }, async () => {
    const { messengers, each } = await openScene(1);
    const up = [...crowdOf(messengers, 1)];
    while (up.length > 1) {
      await up.pop()?.on.close();
      const round = `ping ${up.length}`;
      const before = new Map(up.map(({ on, who }) => [on, on.seen(who).length]));
      for (const { on, who } of up) on.say(who, round);
      await expect
        .poll(() => up.every(({ on, who }) => on.seen(who).length > (before.get(on) ?? 0)), {
          timeout: PATIENCE_MS,
        })
        .toBe(true);
    }
    await each(up, () => /pong/);
  });
});
