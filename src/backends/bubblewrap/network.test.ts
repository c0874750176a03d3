import { describe, expect, it } from 'vitest';
import { networkCommand } from './network.ts';

describe('the program that opens a network', () => {
  it('keeps the host’s loopback closed, and ends when the gateway does', () => {
    const command = networkCommand({ pid: 123 });
    expect(command).toContain('--disable-host-loopback');
    expect(command).toContain('--exit-fd=4');
    expect(command).toContain('--userns-path=/proc/123/ns/user');
  });

  it('has no more rights than the sandbox’s user', () => {
    expect(networkCommand({ pid: 123 }).slice(0, 3)).toEqual(['setpriv', '--no-new-privs', '--']);
    const asRoot = networkCommand({ pid: 123, user: { uid: 2_000_000_001, gid: 2_000_000_001 } });
    expect(asRoot.join(' ')).toContain(
      'setpriv --reuid 2000000001 --regid 2000000001 --clear-groups --no-new-privs -- slirp4netns',
    );
  });
});
