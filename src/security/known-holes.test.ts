import { describe, expect, it } from 'vitest';
import { type Hole, hasHole, holesIn, knownHoles } from './known-holes.ts';

const hole: Hole = {
  ...{ program: 'p', ids: ['X'], fixedIn: ['1.2.8', '1.3.3', '1.4.0'], line: 2, kind: 'other', about: '' },
};

describe('a hole', () => {
  it.each([
    ['1.1.5+ds1', true, 'a line that nobody has mended'],
    ['1.2.7', true, 'just before'],
    ['1.2.8', false, 'the very one'],
    ['1.2.10', false, 'numbers are no text'],
    ['1.3.2', true, 'another line'],
    ['1.3.3-rc1', false, 'candidates count as the version'],
    ['v1.4.0', false, 'with a letter before it'],
    ['2.0', false, 'newer than all'],
    ['unknown', false, 'one that does not tell'],
    ['', false, 'nothing'],
  ])('of %j: %s, %s', (version, expected) => {
    expect(hasHole(version, hole)).toBe(expected);
  });

  it('begins where it began', () => {
    const since = { ...hole, since: '1.2.0' };
    expect([hasHole('1.1.9', since), hasHole('1.2.0', since)]).toEqual([false, true]);
  });

  it('is found by the name of its program alone', () => {
    const programs = [
      { name: 'runc', version: '1.1.5+ds1' },
      { name: 'crun', version: '1.1.5' },
      { name: 'docker', version: '29.5.1' },
    ];
    expect(holesIn(programs).map(({ program, kind }) => [program, kind])).toEqual([
      ['runc', 'escape'],
      ['runc', 'escape'],
      ['runc', 'other'],
    ]);
  });

  it.each(knownHoles.map(each => [each.ids.join(), each] as const))(
    '%s is written as it should be',
    (_, each) => {
      for (const id of each.ids) expect(id).toMatch(/^CVE-\d{4}-\d{4,}$/);
      for (const version of each.fixedIn) {
        expect(version).toMatch(/^\d+\.\d+\.\d+$/);
        expect(hasHole(version, each)).toBe(false);
      }
    },
  );
});
