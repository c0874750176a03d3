import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joiningOf, oomCountOf, planCgroups, unifiedParent } from './cgroups.ts';
import { enforcementOf, starterLimits } from './enforcement.ts';

const limits = { cpus: 1.5, memoryMiB: 512, processes: 256 };

describe('the control groups of a sandbox', () => {
  it('are one for each controller on version 1', () => {
    const places = {
      version: 1,
      parents: { memory: '/cg/memory/x', pids: '/cg/pids', cpu: '/cg/cpu' },
    } as const;
    const plans = planCgroups(places, 'hermes-a', limits);
    expect(plans.map(({ folder, files }) => [folder, ...files.map(file => file.join('='))])).toEqual([
      ['/cg/memory/x/hermes-a', 'memory.limit_in_bytes=536870912', 'memory.memsw.limit_in_bytes=536870912'],
      ['/cg/pids/hermes-a', 'pids.max=256'],
      ['/cg/cpu/hermes-a', 'cpu.cfs_period_us=100000', 'cpu.cfs_quota_us=150000'],
    ]);
    expect(oomCountOf(places, plans)).toEqual({
      source: '/cg/memory/x/hermes-a/memory.oom_control',
      path: '/sys/fs/cgroup/memory/memory.oom_control',
    });
  });

  it('are a single one on version 2', () => {
    const places = { version: 2, parents: { memory: '/cg', pids: '/cg', cpu: '/cg' } } as const;
    const plans = planCgroups(places, 'hermes-a', limits);
    expect(plans).toHaveLength(1);
    expect(plans[0]?.files.map(file => file.join('='))).toEqual([
      ...['memory.max=536870912', 'memory.swap.max=0', 'pids.max=256', 'cpu.max=150000 100000'],
    ]);
    expect(oomCountOf(places, plans)?.path).toBe('/sys/fs/cgroup/memory.events');
  });

  it('are joined from inside on version 1, and from outside on version 2', () => {
    const plans = [{ folder: '/cg/hermes-a', controllers: [], files: [] }];
    const parents = {};
    expect(joiningOf({ version: 1, parents }, plans)).toEqual({
      inside: ['/cg/hermes-a/tasks'],
      outside: [],
    });
    expect(joiningOf({ version: 2, parents }, plans)).toEqual({
      inside: [],
      outside: ['/cg/hermes-a/cgroup.procs'],
    });
  });

  it('are none where nothing is limited or nothing can be made', () => {
    expect(planCgroups({ version: 2, parents: {} }, 'hermes-a', limits)).toEqual([]);
    expect(planCgroups({ version: 1, parents: { pids: '/cg' } }, 'hermes-a', {})).toEqual([]);
  });
});

describe('the place for groups on version 2', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'hermes-cgroups-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const group = async (path: string, handedOut: string): Promise<void> => {
    await mkdir(join(root, path), { recursive: true });
    await writeFile(join(root, path, 'cgroup.subtree_control'), `${handedOut}\n`);
    await writeFile(join(root, path, 'cgroup.procs'), '');
  };

  it('is the nearest group above that hands out the controllers', async () => {
    await group('.', 'cpu memory pids');
    await group('user', 'cpu io memory pids');
    await group('user/hermes.service', '');
    expect(unifiedParent(root, join(root, 'user/hermes.service'))).toBe(join(root, 'user'));
  });

  it('is nowhere where none does', async () => {
    await group('.', '');
    await group('user', 'memory');
    expect(unifiedParent(root, join(root, 'user'))).toBeUndefined();
  });
});

describe('what is said of limits', () => {
  const kernel = { asRoot: false, countsProcessesApart: true, measuresDisk: true };

  it('enforced, where control groups hold them', () => {
    const held = new Set(['memory', 'pids', 'cpu']);
    expect(enforcementOf({ ...limits, diskMiB: 100 }, held, kernel)).toEqual({
      cpus: 'enforced',
      memory: 'enforced',
      disk: 'soft',
      processes: 'enforced',
      tmpMiB: 512,
    });
    expect(starterLimits({ ...limits, diskMiB: 100 }, held)).toEqual(['-', '-', '102400']);
  });

  it('less, where only limits of single processes do', () => {
    expect(enforcementOf(limits, new Set(), kernel)).toEqual({
      cpus: 'none',
      memory: 'soft',
      disk: 'none',
      processes: 'enforced',
      tmpMiB: 512,
    });
    expect(enforcementOf(limits, new Set(), { ...kernel, countsProcessesApart: false }).processes).toBe(
      'soft',
    );
    expect(starterLimits(limits, new Set())).toEqual(['256', '524288', '-']);
  });
});
