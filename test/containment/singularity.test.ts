// The exact table of the singularity backend, on a real Apptainer: rootless, on a host that gives its user no control groups.
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { allProbes } from '../../src/containment/all-probes.ts';
import type { VerifyReport } from '../../src/containment/verify.ts';
import { describeWith } from '../services/use-service.ts';
import { singularityTable, verdictIn } from './tables.ts';
import { verifyInThrowaway } from './throwaway.ts';

/** Of the machine's ordinary user. */
const USER = 1000;

describeWith('apptainer', address => {
  let scratch: string;
  let report: VerifyReport | undefined;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'scratch-'));
    await chmod(scratch, 0o755);
    await chown(scratch, USER, USER);
    const { apptainer, sif } = address();
    report = await verifyInThrowaway({
      backend: 'singularity',
      spec: { network: 'none' },
      variables: {
        PATH: `${dirname(apptainer)}:${readEnvironment()['PATH'] ?? ''}`,
        TERMINAL_SCRATCH_DIR: scratch,
        TERMINAL_SINGULARITY_IMAGE: sif,
      },
      apart: 'network',
    });
  });
  afterAll(() => rm(scratch, { recursive: true }));

  it.each(allProbes.map(({ id, title }) => [id, title]))('%s: %s', id => {
    const row = report?.rows.find(each => each.id === id);
    expect(row?.verdict, row?.found).toBe(verdictIn(singularityTable, id));
  });

  it('holds nothing worse than expected', () => {
    expect(report?.rows.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual([]);
  });
});
