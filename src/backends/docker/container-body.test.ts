import { describe, expect, it } from 'vitest';
import { type ContainerPlan, containerBody } from './container-body.ts';

const plan: ContainerPlan = {
  spec: { id: 'abc', installation: 'here', session: 'telegram:1', persistent: true },
  image: 'debian:12',
  workdir: '/workspace',
  user: '',
  network: 'none',
  cpus: 1.5,
  memoryMiB: 512,
  processes: 256,
  diskMiB: 1024,
  mounts: [],
  extraCaps: [],
  created: '2026-01-02T03:04:05.000Z',
};

function hostConfigOf(changes: Partial<ContainerPlan> = {}): Record<string, unknown> {
  return containerBody({ ...plan, ...changes })['HostConfig'] as Record<string, unknown>; // built so
}

describe('the body of a container', () => {
  it('is hardened', () => {
    expect(hostConfigOf()).toEqual({
      CapDrop: ['ALL'],
      CapAdd: [],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      Init: true,
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      PidsLimit: 256,
      Memory: 512 * 1024 * 1024,
      MemorySwap: 512 * 1024 * 1024,
      NanoCpus: 1_500_000_000,
      Ulimits: [
        { Name: 'nofile', Soft: 16_384, Hard: 16_384 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      IpcMode: 'private',
      CgroupnsMode: 'private',
      ShmSize: 64 * 1024 * 1024,
      NetworkMode: 'none',
      Tmpfs: {
        '/tmp': 'rw,exec,nosuid,nodev,size=512m,mode=1777',
        '/var/tmp': 'rw,exec,nosuid,nodev,size=256m,mode=1777',
        '/run': 'rw,noexec,nosuid,nodev,size=64m,mode=755',
      },
      LogConfig: { Type: 'none', Config: {} },
      Mounts: [],
      StorageOpt: { size: '1024M' },
    });
  });

  it('names no namespace of the host and no other security profile', () => {
    const text = JSON.stringify(containerBody(plan));
    expect(text).not.toMatch(/"host"|unconfined|PidMode|UTSMode|UsernsMode|Devices|Binds/);
  });

  it('is found by its labels', () => {
    expect(containerBody(plan)['Labels']).toEqual({
      'hermes.installation': 'here',
      'hermes.sandbox': 'abc',
      'hermes.session': 'telegram:1',
      'hermes.created': '2026-01-02T03:04:05.000Z',
      'hermes.workdir': '/workspace',
      'hermes.config': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('has the same hash for the same configuration, whichever sandbox it is for', () => {
    const hashOf = (changes: Partial<ContainerPlan>): unknown =>
      Reflect.get(containerBody({ ...plan, ...changes })['Labels'] as object, 'hermes.config'); // built so
    expect(hashOf({ spec: { id: 'x', installation: 'y', persistent: true }, created: 'later' })).toBe(
      hashOf({}),
    );
    expect(hashOf({ network: 'bridge' })).not.toBe(hashOf({}));
  });

  it('carries no values in its environment', () => {
    expect(containerBody(plan)['Env']).toEqual([]);
  });

  it('mounts folders so that one the engine does not have is an error', () => {
    const mounts = [{ source: '/data', target: '/workspace', readOnly: true }];
    expect(hostConfigOf({ mounts })['Mounts']).toEqual([
      {
        Type: 'bind',
        Source: '/data',
        Target: '/workspace',
        ReadOnly: true,
        BindOptions: { Propagation: 'rprivate' },
      },
    ]);
  });

  it('lets a mount take the place of a tmpfs', () => {
    const mounts = [{ source: '/data', target: '/tmp', readOnly: false }];
    expect(Object.keys(hostConfigOf({ mounts })['Tmpfs'] as object)).toEqual(['/var/tmp', '/run']); // built so
  });

  it('takes runtime and capabilities from the operator', () => {
    expect(hostConfigOf({ runtime: 'runsc', extraCaps: ['CHOWN'] })).toMatchObject({
      Runtime: 'runsc',
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN'],
    });
  });
});
