import { describe, expect, it } from 'vitest';
import { isOlder } from './bwrap-program.ts';
import { unavailable } from './machine.ts';
import { type Findings, reasonsFor } from './reasons.ts';

const fine: Findings = {
  unprivilegedUserns: undefined,
  mostUserns: '96349',
  apparmorRestricts: undefined,
  isContainer: false,
  isChroot: false,
  makesNamespaces: false,
  said: 'bwrap: setting up uid map: Permission denied',
};

describe('why bubblewrap does not work', () => {
  it.each([
    ['no user namespaces left', { mostUserns: '0' }, 'user.max_user_namespaces'],
    ['user namespaces forbidden', { unprivilegedUserns: '0' }, 'kernel.unprivileged_userns_clone=1'],
    ['AppArmor', { apparmorRestricts: '1' }, 'AppArmor profile'],
    ['a chroot', { isChroot: true }, 'pivot_root'],
    ['a container', { isContainer: true }, 'another backend'],
  ])('%s: says so, with what to do', (_name, found, fix) => {
    const [first] = reasonsFor({ ...fine, ...found });
    expect(first?.fix).toContain(fix);
    expect(first?.message).toContain(fine.said);
  });

  it('says the program’s own words when nothing else is known', () => {
    expect(reasonsFor(fine)).toHaveLength(1);
    expect(reasonsFor({ ...fine, said: '' })[0]?.message).toContain('nothing');
  });

  it('does not blame the container, nor anything else that forbids namespaces, where they can be made', () => {
    const found = {
      ...fine,
      makesNamespaces: true,
      isContainer: true,
      isChroot: true,
      apparmorRestricts: '1',
    };
    const [first, ...others] = reasonsFor({ ...found, said: "bwrap: Can't find source path /gone" });
    expect(first?.message).toBe("bubblewrap cannot make a sandbox here: bwrap: Can't find source path /gone");
    expect(others).toEqual([]);
  });

  it('is said in sentences with one full stop each', () => {
    const [first] = reasonsFor({ ...fine, unprivilegedUserns: '0', said: 'bwrap: No permissions.' });
    const { message } = unavailable(first?.message ?? '', first?.fix ?? '');
    expect(message).not.toMatch(/\.\./);
    expect(message).toMatch(
      /bwrap: No permissions\. As root run: sysctl -w kernel\.unprivileged_userns_clone=1\.$/,
    );
  });
});

describe('versions', () => {
  it('are compared by number', () => {
    expect(isOlder('0.4.1', '0.6.0')).toBe(true);
    expect(isOlder('0.11.0', '0.6.0')).toBe(false);
    expect(isOlder('0.6.0', '0.6.0')).toBe(false);
    expect(isOlder('6.18.44', '5.14')).toBe(false);
  });
});
