import { describe, expect, it } from 'vitest';
import { loadHermesConfig } from '../../compose.ts';
import type { SandboxSpec } from '../backend.ts';
import { planOf, refOfLabels } from './plan.ts';

const spec: SandboxSpec = {
  ...{ id: 'abc', installation: 'home', session: 'telegram:1', limits: {}, mounts: [], env: {} },
  persistent: true,
};

async function plan(given: Partial<SandboxSpec> = {}, variables: Record<string, string> = {}) {
  return planOf({ ...spec, ...given }, await loadHermesConfig({ HOME: '/nowhere', ...variables }));
}

describe('the plan of a sandbox', () => {
  it('has a name and labels by which it is found again', async () => {
    const { body } = await plan();
    expect(body.name).toBe('hermes-abc');
    expect(refOfLabels('hermes-abc', body.labels ?? {})).toEqual({
      ...{ backend: 'daytona', id: 'abc', name: 'hermes-abc', installation: 'home', session: 'telegram:1' },
    });
    expect(refOfLabels('other', { app: 'somebody else’s' })).toBeUndefined();
  });

  it('takes whole cores and GiB, and no more than 10 of disk', async () => {
    const { body, enforcement, note } = await plan();
    expect(body).toMatchObject({ cpu: 1, memory: 5, disk: 10 });
    expect(enforcement).toEqual({
      cpus: 'enforced',
      memory: 'enforced',
      disk: 'enforced',
      processes: 'none',
    });
    expect(note).toBeUndefined();
    const small = await plan({ limits: { cpus: 0.5, memoryMiB: 1500, diskMiB: 2048 } });
    expect(small.body).toMatchObject({ cpu: 1, memory: 2, disk: 2 });
    expect(small.enforcement).toMatchObject({ cpus: 'soft', memory: 'soft', disk: 'enforced' });
  });

  it('tells an operator who has asked for more disk', async () => {
    expect((await plan({}, { TERMINAL_CONTAINER_DISK: '51200' })).note).toContain('10 GiB');
    expect((await plan({}, { TERMINAL_CONTAINER_DISK: '8192' })).note).toBeUndefined();
  });

  it('always stops by itself, and goes when it was made to be thrown away', async () => {
    expect((await plan()).body).toMatchObject({ autoStopInterval: 70, autoDeleteInterval: 43_200 });
    const short = await plan({ idleSeconds: 0, persistent: false });
    expect(short.body).toMatchObject({ autoStopInterval: 11, autoDeleteInterval: 0 });
  });

  it('opens no network that the caller or the settings close', async () => {
    expect((await plan({ network: 'none' })).body.networkBlockAll).toBe(true);
    const closed = await plan({ network: 'open' }, { TERMINAL_DAYTONA_NETWORK: 'none' });
    expect(closed.body.networkBlockAll).toBe(true);
    expect((await plan({ network: 'open' })).body.networkBlockAll).toBe(false);
  });

  it('makes it of an image or of a snapshot, whose size is its own', async () => {
    expect((await plan({ image: 'debian:12' })).body.buildInfo?.dockerfileContent).toBe('FROM debian:12\n');
    const { body, enforcement } = await plan({ image: 'snapshot:mine' });
    expect(body).toMatchObject({ snapshot: 'mine' });
    expect(body).not.toHaveProperty('cpu');
    expect(enforcement.memory).toBe('soft');
  });

  it('has nothing of the environment in what the service keeps', async () => {
    expect(JSON.stringify((await plan({ env: { TOKEN: 'planted-secret' } })).body)).not.toContain(
      'planted-secret',
    );
  });
});
