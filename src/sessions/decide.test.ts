// What a session of the CLI gets of the settings of its backend, and a messaging session does not (P2).
import { expect, it } from 'vitest';
import { backendFacts } from '../backends/index.generated.ts';
import { createBackend, loadHermesConfig } from '../compose.ts';
import { exposureOf } from '../risk/exposure.ts';
import { decidedPolicy } from './decide.ts';
import type { SandboxWorld } from './world.ts';

async function policies() {
  const environment = {
    HOME: '/home/me',
    HERMES_HOME: '/nonexistent',
    TERMINAL_ENV: 'docker',
    TERMINAL_DOCKER_VOLUMES: '["/srv/data:/data:ro"]',
    TERMINAL_DOCKER_FORWARD_ENV: '["TOKEN"]',
    TOKEN: 'x',
  };
  const config = await loadHermesConfig(environment);
  const installation = { read: async () => ({ backend: null }) };
  const world = {
    ...{ config, facts: backendFacts },
    store: { installation },
    backend: (name: string) => createBackend(name, config, { environment }),
  } as unknown as SandboxWorld; // the parts that a decision needs
  const of = (kind: 'cli' | 'messaging') => decidedPolicy(world, { kind });
  return { cli: await of('cli'), messaging: await of('messaging') };
}

it('P2: folders and values of terminal.* reach sessions of the CLI, and count as their exposure', async () => {
  const { cli, messaging } = await policies();
  expect([cli.mounts.value, cli.env.value]).toEqual([['/srv/data:/data:ro'], ['TOKEN']]);
  expect([messaging.mounts.value, messaging.env.value]).toEqual([[], []]);
  expect(exposureOf(cli, { isDisposable: false })).toMatchObject({
    mounts: [{ target: '/data', readOnly: true }],
    credentials: ['TOKEN'],
  });
});
