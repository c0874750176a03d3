// Who may talk to the agent (P1).

import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../test/property.ts';
import { authorise, type PeopleRules, type PersonDecision } from './authorise.ts';

const nobody: PeopleRules = {
  allowAll: false,
  allowAllEverywhere: false,
  allowed: [],
  allowedEverywhere: [],
};
const ask = (userId: string, rules: Partial<PeopleRules> = {}, decision?: PersonDecision) =>
  authorise({ platform: 'telegram', userId, decision }, { ...nobody, ...rules });

describe('authorise (P1)', () => {
  it('refuses whom nobody has let in', () => {
    expect(ask('12345')).toEqual({ allowed: false, because: 'unknown' });
  });

  it.each<[what: string, rules: Partial<PeopleRules>, because: string]>([
    ['the platform lets everybody in', { allowAll: true }, 'allow-all'],
    ['the gateway lets everybody in', { allowAllEverywhere: true }, 'allow-all'],
    ['the platform lists them', { allowed: ['1', '12345'] }, 'listed'],
    ['the gateway lists them with the platform', { allowedEverywhere: ['telegram:12345'] }, 'listed'],
    ['the platform lists them with its own name', { allowed: ['telegram:12345'] }, 'listed'],
  ])('lets them in when %s', (_what, rules, because) => {
    expect(ask('12345', rules)).toEqual({ allowed: true, role: 'user', because });
  });

  it('puts an explicit denial above everything', () => {
    const everything = { allowAll: true, allowAllEverywhere: true, allowed: ['12345'] };
    const denied = { standing: 'denied', role: 'owner' } as const;
    expect(ask('12345', everything, denied)).toEqual({ allowed: false, because: 'denied' });
  });

  it('gives the role that was decided, also where everybody is allowed', () => {
    const owner = { standing: 'allowed', role: 'owner' } as const;
    expect(ask('12345', {}, owner)).toEqual({ allowed: true, role: 'owner', because: 'decided' });
    expect(ask('12345', { allowAll: true }, owner)).toMatchObject({ role: 'owner' });
    expect(ask('12345', { allowAll: true })).toMatchObject({ role: 'user' });
  });

  it.each([
    ...['12345@evil.example', '@12345', '12345@', ' 12345', '12345 ', '012345', '1234', '123456', '12345:7'],
    ...['１２３４５', '12345\n', '12345\u200b', '12345\0', '', 'telegram:12345'],
  ])('does not take %j for 12345', userId => {
    for (const list of [['12345'], ['telegram:12345'], ['*', '', '12345']])
      expect(ask(userId, { allowed: list, allowedEverywhere: list }).allowed, list.join()).toBe(false);
  });

  it('has no pattern that means everybody', () => {
    for (const entry of ['*', 'telegram:*', 'telegram:', '', '.*', '123*'])
      expect(ask('12345', { allowed: [entry], allowedEverywhere: [entry] }).allowed, entry).toBe(false);
  });

  it('takes an entry for one platform to be nobody on another', () => {
    const rules = { ...nobody, allowed: ['telegram:12345'], allowedEverywhere: ['telegram:12345'] };
    expect(authorise({ platform: 'discord', userId: '12345' }, rules).allowed).toBe(false);
    expect(authorise({ platform: 'discord', userId: 'telegram:12345' }, rules).allowed).toBe(false);
  });

  it('takes a bare id in the list of the gateway for nobody: it would be a different person on each platform', () => {
    expect(ask('12345', { allowedEverywhere: ['12345'] })).toEqual({ allowed: false, because: 'unknown' });
  });

  it('knows nobody by an id that cannot be one', () => {
    for (const userId of ['', 'a\0', 'a\nb', '\ud800', 'x'.repeat(257)])
      expect(ask(userId, { allowAll: true, allowed: [userId] }).allowed, JSON.stringify(userId)).toBe(false);
  });

  it('allows nobody by lists but those whose exact id stands there', () => {
    const id = fc.string({ unit: fc.constantFrom('1', '2', ':', '@', '*', 't', ' '), maxLength: 4 });
    fc.assert(
      fc.property(id, fc.array(id, { maxLength: 5 }), (userId, list) => {
        const person = { platform: 't', userId };
        const isNamed = userId !== '' && list.includes(`t:${userId}`);
        const isBare = userId !== '' && list.includes(userId) && !userId.includes(':');
        expect(authorise(person, { ...nobody, allowedEverywhere: list }).allowed).toBe(isNamed);
        expect(authorise(person, { ...nobody, allowed: list }).allowed).toBe(isNamed || isBare);
      }),
      runs(500),
    );
  });
});
