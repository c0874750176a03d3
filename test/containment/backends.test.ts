// The exact table of each backend that contains, on real engines: no probe gets out but where the table says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allProbes } from '../../src/containment/all-probes.ts';
import type { VerifyReport } from '../../src/containment/verify.ts';
import { describeWith } from '../services/use-service.ts';
import { type ExpectedTable, expectedTables, verdictIn } from './tables.ts';
import { type ThrowawayOptions, verifyInThrowaway } from './throwaway.ts';

function expectTable(table: ExpectedTable, options: () => ThrowawayOptions): void {
  let report: VerifyReport | undefined;
  beforeAll(async () => {
    report = await verifyInThrowaway(options());
  });
  afterAll(() => {
    report = undefined;
  });
  it.each(allProbes.map(({ id, title }) => [id, title]))('%s: %s', id => {
    const row = report?.rows.find(each => each.id === id);
    expect(row?.verdict, row?.found).toBe(verdictIn(table, id));
  });
  it('holds nothing worse than expected', () => {
    expect(report?.rows.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual([]);
  });
}

describeWith('image-bookworm', address => {
  describe.each(['none', 'open'] as const)('docker, network %s', network => {
    expectTable(expectedTables.docker[network], () => {
      const { docker, image } = address();
      return {
        backend: 'docker',
        spec: { network },
        variables: { DOCKER_HOST: docker.host, TERMINAL_DOCKER_IMAGE: image },
        // Where containers' bridges are: only there can an address of the host be reached from them.
        apart: docker.own === undefined ? 'network' : { networkOf: docker.own.pid },
      };
    });
  });
});

describeWith('bubblewrap', () => {
  describe.each(['none', 'open'] as const)('bubblewrap, network %s', network => {
    expectTable(expectedTables.bubblewrap[network], () => ({
      backend: 'bubblewrap',
      spec: { network },
      apart: 'network',
    }));
  });
});
