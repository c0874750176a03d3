// A gateway that is killed at any moment: after the next start ledger and engine agree, nothing of ours is left over, and
// nothing of others is touched (P4). `npm run soak` does it fifty times, CI a few.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Backend, Sandbox } from '../../../src/backends/backend.ts';
import { type Draws, useDraws } from '../../seed.ts';
import { runCommand } from '../../services/command.ts';
import { describeWith } from '../../services/use-service.ts';
import { kills } from '../../soak.ts';
import { until, within } from '../../wait.ts';
import { type EngineRelay, relayTo } from './engine-relay.ts';
import { type GatewayOptions, newHome, openGateway } from './world.ts';

const KILLS = kills(4);
/** From the middle of the first creation to well into the churn. */
const LONGEST_MS = 1500;

type Environment = Readonly<Record<string, string | undefined>>;

async function killAtRandom(home: string, environment: Environment, draws: Draws): Promise<void> {
  const program = join(import.meta.dirname, 'churn.ts');
  const child = spawn(
    process.execPath,
    [program, home, JSON.stringify(environment), `${draws.below(2 ** 31)}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await within(once(child.stdout, 'data'), 'the churn begins');
  const closed = once(child, 'close');
  await draws.moment(LONGEST_MS);
  child.kill('SIGKILL');
  const [, signal] = (await within(closed, 'the killed process ends')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

async function idsOf(backend: Backend, installation: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of backend.list(installation)) ids.push(id);
  return ids.toSorted();
}

/** Which of these words stand in the arguments of a process of this machine. */
async function argumentsHere(words: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommand(['ps', '-eo', 'args', '-ww']);
  return words.filter(word => stdout.includes(word));
}

/** One start and one sweep later, everything must be in order. */
async function expectOrder(options: GatewayOptions, witness: Sandbox): Promise<void> {
  const gateway = await openGateway(options);
  try {
    const report = await gateway.sweeper.sweep([gateway.backend.name]);
    expect(report.problems).toEqual([]);
    const rows = await gateway.world.store.ledger.list();
    const alive = rows.filter(({ state }) => state !== 'gone');
    expect(alive.filter(({ state }) => !['ready', 'suspended'].includes(state))).toEqual([]);
    expect(await idsOf(gateway.backend, gateway.world.installation)).toEqual(
      alive.map(({ id }) => id).toSorted(),
    );
    expect(await idsOf(gateway.backend, witness.ref.installation)).toEqual([witness.ref.id]);
    const gone = rows.filter(({ state }) => state === 'gone').map(({ id }) => `hermes-${id}`);
    // What a gateway had started when it was killed, such as a removal, may take a moment to end.
    await until(async () => (await argumentsHere(gone)).length === 0, 'no process of one that is gone');
  } finally {
    await gateway.drop();
  }
}

/** `relay`: for those who are killed. */
async function proveOrder(environment: GatewayOptions['environment'], relay?: EngineRelay): Promise<void> {
  const draws = useDraws();
  const home = await newHome();
  const standBy = await openGateway({ home, environment });
  const witness = await standBy.backend.create({
    id: 'w1tness2w1tness2',
    installation: 'witness',
    limits: {},
    mounts: [],
    env: {},
    persistent: true,
  });
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await killAtRandom(home, { ...environment, ...(relay ? { DOCKER_HOST: relay.host } : {}) }, draws);
      await relay?.settled();
      await expectOrder({ home, environment }, witness);
    }
  } finally {
    await witness.destroy();
    await standBy.drop();
    await (await openGateway({ home, environment })).close();
    await rm(home, { recursive: true, force: true });
  }
}

const TIMEOUT_MS = 60_000 + KILLS * 20_000;

describeWith('bubblewrap', () => {
  it('P4: on bubblewrap', () => proveOrder({ TERMINAL_ENV: 'bubblewrap' }), TIMEOUT_MS);
});

describeWith('image-bookworm', address => {
  it(
    'P4: on docker',
    async () => {
      const relay = await relayTo(address().docker.host);
      try {
        const environment = {
          TERMINAL_ENV: 'docker',
          DOCKER_HOST: address().docker.host,
          TERMINAL_DOCKER_IMAGE: address().image,
          TERMINAL_CONTAINER_MEMORY: '256',
        };
        await proveOrder(environment, relay);
      } finally {
        await relay.close();
      }
    },
    TIMEOUT_MS,
  );
});
