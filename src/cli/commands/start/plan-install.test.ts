import { describe, expect, it } from 'vitest';
import { type InstallFacts, planInstall } from './plan-install.ts';

const facts: InstallFacts = { package: 'bubblewrap', isRoot: true, hasApt: true, consent: 'asked' };

describe('a package that would make sandboxes possible', () => {
  it('is asked about where somebody can answer, and installed where they have or nobody can', () => {
    expect(planInstall(facts)).toEqual({ kind: 'ask', package: 'bubblewrap' });
    for (const consent of ['told', 'nobody'] as const)
      expect(planInstall({ ...facts, consent })).toEqual({ kind: 'install', package: 'bubblewrap' });
  });

  it('is never installed by anybody but root, whatever they have said; they are told how', () => {
    for (const consent of ['asked', 'told', 'nobody'] as const)
      expect(planInstall({ ...facts, isRoot: false, consent })).toEqual({
        kind: 'stop',
        advice: expect.stringContaining('sudo apt-get install bubblewrap'),
      });
  });

  it('is left to a person where there is no apt-get, or no package would help', () => {
    expect(planInstall({ ...facts, hasApt: false }).kind).toBe('stop');
    expect(planInstall({ ...facts, package: undefined }).kind).toBe('stop');
  });
});
