import { describe, expect, it } from 'vitest';
import { sandboxUser } from './host-user.ts';

const folder = (uid: number, gid: number, readOnly = false) => ({ uid, gid, readOnly });

describe('who a sandbox is on the host', () => {
  it('is nobody whom the host knows, another for each sandbox', () => {
    const [one, other] = [sandboxUser('a', []), sandboxUser('b', [])];
    expect(one.uid).toBeGreaterThanOrEqual(2_000_000_000);
    expect(one.uid).toBeLessThan(2 ** 31);
    expect(one.gid).toBe(one.uid);
    expect(sandboxUser('a', [])).toEqual(one);
    expect(other.uid).not.toBe(one.uid);
  });

  it('is the owner of a folder that it may write, and never root', () => {
    expect(sandboxUser('a', [folder(0, 0), folder(1000, 1000)])).toEqual({ uid: 1000, gid: 1000 });
    expect(sandboxUser('a', [folder(0, 0), folder(1000, 1000, true)])).toEqual(sandboxUser('a', []));
  });

  it.each([
    ['a group of other people', 1001, 999],
    ['a group of the system with the number of its owner', 42, 42],
  ])('is not in %s', (_what, uid, gid) => {
    expect(sandboxUser('a', [folder(uid, gid)])).toEqual({ uid, gid: sandboxUser('a', []).gid });
  });
});
