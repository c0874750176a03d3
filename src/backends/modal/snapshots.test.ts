import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { type SnapshotRecord, Snapshots } from './snapshots.ts';

const record: SnapshotRecord = {
  ...{ installation: 'here', snapshot: 'im-1', takenAt: 1, isResumed: false, stale: [] },
  plan: {
    ...{ image: 'debian', workdir: '/workspace', network: 'none', cpus: 1, memoryMiB: 512, regions: [] },
    ...{ idleSeconds: 600, lifeSeconds: 1200 },
  },
};

describe('the list of snapshots', () => {
  it('keeps what several gateways write at the same time, for nobody else to read', async () => {
    const home = await mkdtemp(join(tmpdir(), 'snapshots-'));
    onTestFinished(() => rm(home, { recursive: true }));
    const ids = Array.from({ length: 12 }, (_, at) => `s${at}`);
    const gateways = [new Snapshots(home, systemClock), new Snapshots(home, systemClock)];
    await Promise.all(ids.map((id, at) => gateways[at % 2]?.change(id, () => record)));
    expect((await new Snapshots(home, systemClock).list()).map(([id]) => id).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(await readdir(home)).toEqual(['modal_snapshots.json']);
    expect((await stat(join(home, 'modal_snapshots.json'))).mode & 0o777).toBe(0o600);
  });
});
