import { describe, expect, it } from 'vitest';
import { backendFacts } from '../backends/index.generated.ts';
import { costsOf } from './cost.ts';

const NOW = 10_000_000;
const policy = { limits: { value: { cpus: 2, memoryMiB: 4096 }, origin: 'test' } };
const row = (backend: string, liveMs: number, liveSince: number | null) => ({
  backend,
  policy,
  liveMs,
  liveSince,
});

describe('the cost of sandboxes', () => {
  it('counts the seconds that each was live, by its cores and its memory', () => {
    const rows = [row('modal', 50_000, NOW - 10_000), row('modal', 40_000, null)];
    const [cost, ...others] = costsOf(rows, backendFacts, NOW);
    expect(others).toEqual([]);
    expect(cost).toMatchObject({ backend: 'modal', sandboxes: 2, cpuSeconds: 200, gibSeconds: 400 });
    expect(cost?.estimate).toBeCloseTo(200 * 0.00003942 + 400 * 0.00000672, 9);
  });

  it('leaves out what never came to be, and no clock that is set back makes it less', () => {
    const rows = [row('modal', 0, null), row('modal', 5_000, NOW + 60_000)];
    expect(costsOf(rows, backendFacts, NOW)).toMatchObject([{ sandboxes: 1, cpuSeconds: 10 }]);
  });

  it('is nothing where nobody is billed', () => {
    expect(costsOf([row('docker', 1_000, NOW), row('forgotten', 1_000, 0)], backendFacts, NOW)).toEqual([]);
  });
});
