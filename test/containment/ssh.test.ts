// The table of ssh: nothing of ours contains a command there, and most of it cannot be judged from here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createBackend, loadHermesConfig } from '../../src/compose.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { allProbes } from '../../src/containment/all-probes.ts';
import { type VerifyReport, verifyContainment } from '../../src/containment/verify.ts';
import { describeWith } from '../services/use-service.ts';
import { sshTable, verdictIn } from './tables.ts';
import { METADATA } from './throwaway.ts';

describeWith('ssh', address => {
  let home: string;
  let report: VerifyReport | undefined;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    const { host, port, user, keyFile } = address();
    const environment = {
      ...readEnvironment(),
      HERMES_HOME: home,
      TERMINAL_SSH_HOST: host,
      TERMINAL_SSH_PORT: String(port),
      TERMINAL_SSH_USER: user,
      TERMINAL_SSH_KEY: keyFile,
    };
    const config = await loadHermesConfig(environment);
    report = await verifyContainment({
      makeBackend: planted =>
        createBackend('ssh', config, { environment: { ...environment, [planted.name]: planted.value } }),
      spec: () => ({}),
      probes: allProbes,
      // Nothing is tried there from another machine.
      addresses: { metadata: METADATA },
      clock: systemClock,
    });
  });
  afterAll(() => rm(home, { recursive: true }));

  it('shows what it does not contain', () => {
    const found = report?.rows.map(({ id, verdict }) => [id, verdict]);
    expect(found).toEqual(allProbes.map(({ id }) => [id, verdictIn(sshTable, id)]));
    expect(report?.summary.unexpected).toBe(0);
  });
});
