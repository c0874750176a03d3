import { expect, it } from 'vitest';
import { backendFacts } from '../backends/index.generated.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { type Visited, whyNotVisited } from './visit.ts';

const lease = {
  id: 'l',
  sandboxId: 'a',
  sessionId: 's',
  holder: 'gateway-1',
  purpose: 'run',
  takenAt: 0,
  expiresAt: 1,
};

type Backend = keyof typeof backendFacts;

function answer(
  backend: Backend,
  state: LedgerEntry['state'],
  changes: Partial<Visited> = {},
): string | undefined {
  // The decision reads no other column.
  const entry = { id: 'a', sessionId: 's', state, backend } as LedgerEntry;
  const given: Visited = {
    entry,
    leases: [],
    facts: backendFacts[backend],
    ifSuspended: 'refuse',
    gateway: 'none',
  };
  return whyNotVisited({ ...given, ...changes })?.code;
}

it.each<[Backend, LedgerEntry['state'], Partial<Visited>, string | undefined]>([
  ['docker', 'ready', {}, undefined],
  ['docker', 'leased', { leases: [lease], gateway: 'running' }, undefined],
  ['bubblewrap', 'ready', {}, undefined],
  ['bubblewrap', 'ready', { gateway: 'running' }, 'SANDBOX_IN_USE'],
  ['bubblewrap', 'leased', { leases: [lease] }, 'SANDBOX_IN_USE'],
  ['bubblewrap', 'suspended', { ifSuspended: 'wake', gateway: 'running' }, undefined],
  ['docker', 'suspended', {}, 'SANDBOX_SUSPENDED'],
  ['docker', 'suspended', { ifSuspended: 'wake' }, undefined],
  ['docker', 'resuming', { ifSuspended: 'wake' }, 'SANDBOX_IN_USE'],
  ['docker', 'failed', {}, 'SANDBOX_IN_USE'],
  ['docker', 'gone', {}, 'SANDBOX_GONE'],
])('entering one on %s that is %s, with %j: %s', (backend, state, changes, code) => {
  expect(answer(backend, state, changes)).toBe(code);
});

it('does not enter one that waits in the warm pool', () => {
  const entry = { id: 'a', sessionId: null, state: 'ready', backend: 'docker' } as LedgerEntry; // as above
  expect(answer('docker', 'ready', { entry })).toBe('SANDBOX_IN_USE');
});
