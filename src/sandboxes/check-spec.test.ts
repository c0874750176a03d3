import { describe, expect, it } from 'vitest';
import { checkSpec } from './check-spec.ts';

const nothing = {
  isolation: 'none',
  ownProcesses: false,
  survivesGateway: true,
  suspend: false,
  snapshot: false,
  images: false,
  mounts: false,
  networks: ['open'],
} as const;
const plain = { id: 'x', installation: 'i', limits: {}, mounts: [], env: {}, persistent: false };
const mount = { source: '/a', target: '/b', readOnly: true };

describe('P2: what a backend cannot give', () => {
  it.each([
    [{ network: 'none' as const }, 'not none'],
    [{ image: 'debian' }, 'no images'],
    [{ mounts: [mount] }, 'cannot mount'],
    [{ env: { 'X;touch /tmp/x;Y': '1' } }, 'no name for a variable'],
    [{ env: { X: 'a\0b' } }, 'NUL'],
  ])('%j is refused', (asked, reason) => {
    expect(() => checkSpec('some', nothing, { ...plain, ...asked })).toThrow(reason);
  });

  it('lists all that does not fit', () => {
    expect(() => checkSpec('some', nothing, { ...plain, image: 'x', mounts: [mount] })).toThrow(
      /no images; it cannot mount/,
    );
  });

  it('lets pass what fits', () => {
    const all = { ...nothing, images: true, mounts: true, networks: ['none', 'open'] as const };
    checkSpec('some', all, { ...plain, image: 'x', mounts: [mount], network: 'none', env: { A_1: 'é' } });
    checkSpec('some', nothing, plain);
  });
});
