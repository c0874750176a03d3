import { describe, expect, it } from 'vitest';
import type { Named } from './mutation.ts';
import { type RunOutcome, type TestOutcome, verdictOf, whyNotGreen } from './verdict.ts';

const green: TestOutcome = { title: 'refuses', groups: ['on docker'], status: 'passed', messages: [] };
const red: TestOutcome = { ...green, status: 'failed', messages: ['AssertionError: expected true'] };
const refuses: Named = { tests: ['refuses'] };
const ended = (tests: readonly TestOutcome[], problem = ''): RunOutcome => ({
  kind: 'ended',
  tests,
  problem,
});
const kindOf = (outcome: RunOutcome, named: Named = refuses): string => verdictOf(named, outcome).kind;

describe('a mutation', () => {
  it('is caught when the named test fails', () => {
    expect(kindOf(ended([red]))).toBe('caught');
  });

  it('is caught when one row of a named table fails', () => {
    const rows = [
      { ...green, title: 'refuses "a"' },
      { ...red, title: 'refuses "b"' },
    ];
    expect(kindOf(ended(rows), { tests: ['refuses %j'] })).toBe('caught');
  });

  it('survives when the named test stays green, even if others fail', () => {
    expect(kindOf(ended([green, { ...red, title: 'another' }]))).toBe('survived');
  });

  it('survives when the named test fails in another group only', () => {
    const docker = { ...refuses, group: 'on docker' };
    expect(kindOf(ended([green, { ...red, groups: ['on ssh'] }]), docker)).toBe('survived');
    expect(kindOf(ended([red, { ...green, groups: ['on ssh'] }]), docker)).toBe('caught');
  });

  it('survives when one of several named tests stays green', () => {
    expect(kindOf(ended([red, { ...green, title: 'hides' }]), { tests: ['refuses', 'hides'] })).toBe(
      'survived',
    );
  });

  it.each([
    ['the file did not load', ended([], 'SyntaxError: unexpected token')],
    ['it was skipped', ended([{ ...green, status: 'not-run' }])],
    ['there is no such test', ended([{ ...red, title: 'another' }])],
  ])('is not caught when %s', (_why, outcome) => {
    expect(kindOf(outcome)).toBe('not-run');
  });

  it('says why the named test did not run', () => {
    expect(verdictOf(refuses, ended([], 'SyntaxError: x'))).toMatchObject({
      text: '"refuses" did not run: SyntaxError: x',
    });
  });

  it('is not caught by a run that does not end', () => {
    expect(kindOf({ kind: 'hang' })).toBe('hang');
  });

  it('is not caught by a test that only ran into its time limit', () => {
    const late = { ...red, messages: ['Error: Test timed out in 60000ms.'] };
    expect(kindOf(ended([late]))).toBe('hang');
    expect(kindOf(ended([late, red]))).toBe('caught');
  });
});

describe('without a mutation', () => {
  it('tests are good for a proof when each of them ran and is green', () => {
    expect(whyNotGreen(refuses, ended([green]))).toBeUndefined();
  });

  it.each([
    ['red', ended([red]), '"refuses" is red without a mutation: AssertionError'],
    ['absent', ended([]), '"refuses" does not run'],
    ['skipped', ended([{ ...green, status: 'not-run' }]), '"refuses" does not run'],
    ['hanging', { kind: 'hang' } as const, 'did not end'],
  ])('a test that is %s proves nothing', (_how, outcome, why) => {
    expect(whyNotGreen(refuses, outcome)).toContain(why);
  });
});
