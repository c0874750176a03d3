import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../store/ledger.ts';
import { type PruneView, planPrune } from './prune.ts';

const NOW = 1_000_000_000;
const HOUR = 3_600_000;

function row(id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id,
    installation: 'here',
    sessionId: 'session',
    backend: 'docker',
    name: `hermes-${id}`,
    state: 'ready',
    whenIdle: 'suspend',
    policyHash: 'x',
    policy: { lifetimeSeconds: { value: 3600 }, retentionSeconds: { value: 7200 } },
    createdAt: 0,
    stateSince: NOW,
    idleSince: NOW,
    liveMs: 0,
    liveSince: 0,
    deadline: null,
    stepBy: null,
    attempts: 0,
    enforcement: null,
    retryAt: null,
    problem: null,
    ...changes,
  };
}

const ref = (id: string) => ({ backend: 'docker', id, name: `hermes-${id}`, installation: 'here' });

function reasons(rows: readonly LedgerEntry[], view: Partial<PruneView> = {}): Record<string, string> {
  const ids = rows.map(({ id }) => id);
  const found = planPrune({
    refs: ids.map(ref),
    rows,
    settledBefore: new Set(ids),
    busy: new Set(),
    gateway: 'none',
    now: NOW,
    ...view,
  });
  return Object.fromEntries(found.map(({ id, reason }) => [id, reason]));
}

describe('what is pruned', () => {
  it('is what the engine has and the ledger does not', () => {
    expect(reasons([row('a')], { refs: [ref('a'), ref('b')] })).toEqual({ b: 'orphan' });
  });

  it('is what failed, and what could not be removed before', () => {
    const rows = [
      row('a', { state: 'failed' }),
      row('b', { state: 'destroying', deadline: NOW + 1, attempts: 1 }),
      row('c', { state: 'destroying', deadline: NOW + 1 }),
    ];
    expect(reasons(rows)).toEqual({ a: 'failed', b: 'failed' });
  });

  it('is what was cut off while it was made, and not what is being made', () => {
    const rows = [
      row('a', { state: 'creating', deadline: NOW - 1 }),
      row('b', { state: 'creating', deadline: NOW + 1 }),
    ];
    expect(reasons(rows)).toEqual({ a: 'half-made' });
  });

  it('is what has been suspended for longer than it is kept', () => {
    const rows = [
      row('a', { state: 'suspended', stateSince: NOW - 2 * HOUR }),
      row('b', { state: 'suspended', stateSince: NOW - HOUR }),
    ];
    expect(reasons(rows)).toEqual({ a: 'expired' });
  });

  it('without a gateway is also what nobody has retired, unless something runs in it', () => {
    const idle = { idleSince: NOW - HOUR, whenIdle: 'destroy' } as const;
    const rows = [row('a', idle), row('b', idle), row('c', { ...idle, whenIdle: 'suspend' })];
    expect(reasons(rows, { busy: new Set(['b']) })).toEqual({ a: 'expired' });
    expect(reasons(rows, { gateway: 'running' })).toEqual({});
  });

  it('is what is nobody’s, unless a gateway may want it', () => {
    const rows = [row('a', { sessionId: null }), row('b', { sessionId: null, state: 'suspended' })];
    expect(reasons(rows)).toEqual({ a: 'unused', b: 'unused' });
    expect(reasons(rows.slice(0, 1), { gateway: 'running' })).toEqual({});
  });

  it('is what is not there any more, unless it was made while the engine was asked', () => {
    const rows = [row('a'), row('b')];
    expect(reasons(rows, { refs: [], settledBefore: new Set(['a']) })).toEqual({ a: 'lost' });
  });

  it('P5: is never what somebody holds', () => {
    const held = row('a', { state: 'leased', idleSince: null, stateSince: 0 });
    expect(reasons([held])).toEqual({});
    expect(reasons([held], { refs: [] })).toEqual({});
  });
});
