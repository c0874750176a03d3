// What a change of the settings may do to a sandbox of before, in every combination (P2).
import { describe, expect, it } from 'vitest';
import type { Isolation, Network } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { changeOf, mustNotBeUsed, reachesMore } from './change.ts';
import { isIsolated } from './choose-backend.ts';
import type { SandboxPolicy } from './policy.ts';

const LEVELS: readonly Isolation[] = ['none', 'remote', 'container', 'machine'];

interface Shape {
  readonly isolation?: Isolation;
  readonly network?: Network;
  readonly mounts?: readonly string[];
  readonly env?: readonly string[];
}

function policy({ isolation = 'container', network = 'none', mounts = [], env = [] }: Shape): SandboxPolicy {
  const of = <T>(value: T) => ({ value, origin: 'test' });
  return { isolation, network: of(network), mounts: of(mounts), env: of(env) } as SandboxPolicy; // what is looked at
}

const entry = (shape: Shape) => ({ policy: policy(shape) }) as unknown as LedgerEntry; // what is looked at
const pairs = LEVELS.flatMap(old => LEVELS.map(now => [old, now] as const));

describe('P2', () => {
  it.each(pairs)(
    'from %s to %s: contained commands never run uncontained, and no file crosses that border',
    (old, now) => {
      const [before, after] = [entry({ isolation: old }), policy({ isolation: now })];
      expect(mustNotBeUsed(before, after)).toBe(isIsolated(now) && !isIsolated(old));
      expect(changeOf(before, after) === 'move').toBe(isIsolated(now) && isIsolated(old));
      if (isIsolated(old) && !isIsolated(now)) expect(changeOf(before, after)).toBe('refuse');
    },
  );

  it('knows one that nobody can tell as uncontained', () => {
    const unknown = { policy: {} } as unknown as LedgerEntry; // as an older version may have written it
    expect(mustNotBeUsed(unknown, policy({}))).toBe(true);
  });
});

it.each<[Shape, Shape, boolean]>([
  [{ network: 'open' }, { network: 'none' }, true],
  [{ network: 'none' }, { network: 'open' }, false],
  [{ mounts: ['/a:/a:ro'] }, {}, true],
  [{ mounts: ['/a:/a:ro'] }, { mounts: ['/a:/a:ro', '/b:/b:ro'] }, false],
  [{ mounts: ['/a:/a:rw'] }, { mounts: ['/a:/a:ro'] }, true],
  [{ env: ['TOKEN'] }, {}, true],
  [{ env: ['TOKEN'] }, { env: ['TOKEN'] }, false],
  [{ isolation: 'none' }, {}, true],
])('one of %j under %j reaches more: %s', (old, now, expected) => {
  expect(reachesMore(entry(old), policy(now))).toBe(expected);
});
