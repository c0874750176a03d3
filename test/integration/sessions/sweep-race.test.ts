// A sweep beside sessions that get their sandboxes meanwhile (P5).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Backend } from '../../../src/backends/backend.ts';
import { createLog } from '../../../src/base/log.ts';
import { SessionSandboxes } from '../../../src/sessions/session-sandboxes.ts';
import { Sweeper, type SweepReport } from '../../../src/sessions/sweeper.ts';
import { within } from '../../wait.ts';
import { newHome, openGateway } from './world.ts';

it('P5: leaves alone what was made after the engine had answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sweep-race-'));
  const environment = { TERMINAL_ENV: 'local', TERMINAL_CWD: folder };
  const gateway = await openGateway({ home: await newHome(), environment });
  const request = { purpose: 'run', actor: 'test:1' };
  const leasing = Promise.withResolvers<Awaited<ReturnType<typeof gateway.sandboxes.lease>>>();
  // The real driver, whose answer takes as long as it takes to make a sandbox.
  const slow: Backend = {
    ...gateway.backend,
    async *list(installation) {
      const refs = [];
      for await (const ref of gateway.backend.list(installation)) refs.push(ref);
      const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
      leasing.resolve(lease);
      yield* refs;
    },
  };
  try {
    const sweeper = new Sweeper({ ...gateway.world, backend: async () => slow }, gateway.sandboxes);
    const report = await sweeper.sweep(['local']);
    const lease = await within(leasing.promise, 'the lease');
    expect(report).toMatchObject({ lost: [], destroyed: [], problems: [] });
    expect(await lease.exec('echo alive')).toMatchObject({ stdout: 'alive\n', notices: [] });
    await lease.release();
  } finally {
    await gateway.close();
    await rm(folder, { recursive: true });
  }
});

it('says once that an orphan cannot be removed, also when the engine claims that it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sweep-race-'));
  const environment = { TERMINAL_ENV: 'local', TERMINAL_CWD: folder };
  const gateway = await openGateway({ home: await newHome(), environment });
  const orphan = (id: string) => ({
    id,
    name: id,
    backend: 'local',
    installation: gateway.world.installation,
  });
  let count = 0;
  // An engine that refuses to remove the one, each time for another reason, and removes the other in words only.
  const stuck: Backend = {
    ...gateway.backend,
    async *list() {
      yield orphan('refused');
      yield orphan('claimed');
    },
    async attach(ref) {
      if (ref.id === 'refused') throw new Error(`held by process ${count++}`);
      return { destroy: async () => undefined } as Awaited<ReturnType<Backend['attach']>>;
    },
    async destroy(ref) {
      if (ref.id === 'refused') throw new Error(`held by process ${count++}`);
    },
  };
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
    redact: line => line,
    now: () => 0,
  });
  try {
    const sweeper = new Sweeper({ ...gateway.world, log, backend: async () => stuck }, gateway.sandboxes);
    const reports = [];
    for (let at = 0; at < 4; at++) reports.push(await sweeper.sweep(['local']));
    expect(reports.map(({ orphans }) => orphans)).toEqual([['claimed'], [], [], []]);
    expect(reports[3]?.problems).toHaveLength(2);
    expect(lines.filter(line => line.includes('swept'))).toHaveLength(2);
  } finally {
    await gateway.close();
    await rm(folder, { recursive: true });
  }
});

it('P4: leaves alone what is being made while the engine shows it already', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sweep-race-'));
  const environment = { TERMINAL_ENV: 'local', TERMINAL_CWD: folder };
  const gateway = await openGateway({ home: await newHome(), environment });
  const reports: SweepReport[] = [];
  // The real driver; a sweep falls between its answer and what the ledger learns of it.
  const swept: Backend = {
    ...gateway.backend,
    async create(spec, options) {
      const sandbox = await gateway.backend.create(spec, options);
      reports.push(await sweeper.sweep(['local']));
      return sandbox;
    },
  };
  const world = { ...gateway.world, backend: async () => swept };
  const sandboxes = new SessionSandboxes(world, { most: 10, warm: 0 });
  const sweeper = new Sweeper(world, sandboxes);
  try {
    // The first one after a start takes what is being made for a dead life's.
    await sweeper.sweep(['local']);
    const lease = await sandboxes.lease(await gateway.session('a'), { purpose: 'run', actor: 'test:1' });
    expect(reports).toMatchObject([{ orphans: [], lost: [], destroyed: [], problems: [] }]);
    expect(await lease.exec('echo alive')).toMatchObject({ stdout: 'alive\n', notices: [] });
    await lease.release();
  } finally {
    await sandboxes.life.close();
    await gateway.close();
    await rm(folder, { recursive: true });
  }
});
