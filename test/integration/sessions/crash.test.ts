// A gateway that is killed while commands run in a sandbox that outlives it (P6): they end with it and by themselves, declared jobs
// do not, and the next gateway works at once and knows what to tell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostProcessesOf } from '../../conformance/host-processes.ts';
import { newMarker } from '../../conformance/trial.ts';
import { describeWith } from '../../services/use-service.ts';
import { until, within } from '../../wait.ts';
import { request, useGateways } from './use-gateways.ts';
import { type GatewayOptions, newHome } from './world.ts';

const gateways = useGateways();

async function proveEnds(environment: GatewayOptions['environment']): Promise<void> {
  const home = await newHome();
  const [marker, job] = [newMarker(), newMarker()];
  const program = join(import.meta.dirname, 'crashed.ts');
  const killed = spawn(process.execPath, [program, home, JSON.stringify(environment), marker, job], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const closed = once(killed, 'close');
  const running = (): Promise<readonly number[]> => hostProcessesOf(`sleep ${marker}`);
  // The hidden one goes by its path.
  const hidden = (): Promise<readonly number[]> => hostProcessesOf(`/usr/bin/sleep ${marker}`);
  await until(async () => (await running()).length === 2 && (await hidden()).length === 1, 'commands run');
  killed.kill('SIGKILL');
  await within(closed, 'the killed gateway is gone');
  const left = async (): Promise<number> => (await running()).length + (await hidden()).length;
  await until(async () => (await left()) === 0, 'the commands have ended, with nobody there');
  expect(await hostProcessesOf(`sleep ${job}`)).not.toEqual([]);

  const gateway = await gateways.started({ home, environment });
  await gateway.sweeper.sweep([gateway.backend.name]);
  const session = await gateway.session('chat');
  expect(await gateway.world.store.sessions.find(session.id)).toMatchObject({ cutOffCommands: 2 });
  await using lease = await gateway.sandboxes.lease(session, request);
  const next = await lease.exec('echo "$state"; ls after 2>&1', { persistent: true, timeoutMs: 30_000 });
  expect(next).toMatchObject({ outcome: 'exited' });
  expect(next.stdout).toMatch(/^kept\n/);
  expect(next.stdout).not.toMatch(/^after$/m);
  expect(next.notices.join('\n')).toContain('was still running');
  expect(await hostProcessesOf(`sleep ${job}`)).not.toEqual([]);
}

describeWith('image-bookworm', address => {
  it('P6: on docker', () =>
    proveEnds({
      TERMINAL_ENV: 'docker',
      DOCKER_HOST: address().docker.host,
      TERMINAL_DOCKER_IMAGE: address().image,
      TERMINAL_CONTAINER_MEMORY: '256',
    }));
});
