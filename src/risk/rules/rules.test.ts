// The examples of every rule, held against the whole analysis.
import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { families } from '../finding.ts';
import { allRules } from './all-rules.ts';
import { gapRules } from './unresolved.ts';

const rules = [...allRules, ...gapRules];
const idsIn = (command: string): string[] =>
  analyse(command, { ports: [8378] }).findings.map(({ rule }) => rule);

describe.each(rules.map(rule => [rule.id, rule] as const))('%s', (id, { positive, negative }) => {
  it.each(positive)('is found in %s', command => {
    expect(idsIn(command)).toContain(id);
  });

  it.each(negative)('is not found in %s', command => {
    expect(idsIn(command)).not.toContain(id);
  });
});

describe('rules', () => {
  it('have ids of their own', () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have examples for both, and a sentence', () => {
    for (const { positive, negative, reason } of rules) {
      expect(positive.length).toBeGreaterThan(0);
      expect(negative.length).toBeGreaterThan(0);
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('cover every family that a command itself can threaten', () => {
    const covered = new Set<string>(allRules.map(({ threatens }) => threatens));
    const byExposure = ['mounts', 'unresolved'];
    expect(
      Object.keys(families).filter(family => !covered.has(family) && !byExposure.includes(family)),
    ).toEqual([]);
  });

  it('find nothing in their negative examples that says more than its neighbour', () => {
    const loud = allRules.flatMap(({ negative }) => negative).filter(command => idsIn(command).length > 0);
    expect(loud.length / allRules.flatMap(({ negative }) => negative).length).toBeLessThan(0.08);
  });
});
