// ssh's messages, recorded, and what an operator is told.
import { expect, it } from 'vitest';
import { connectFailure } from './failure.ts';

const place = { host: 'build', address: 'me@10.0.0.5 port 22', knownHostsFile: '/h/ssh/known_hosts' };

const CHANGED = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
Offending ED25519 key in /h/ssh/known_hosts:7
Host key for 10.0.0.5 has changed and you have requested strict checking.
Host key verification failed.`;

it.each([
  ['ssh: Could not resolve hostname build: Name or service not known', 'unknown-host'],
  ['ssh: connect to host 10.0.0.5 port 22: Connection refused', 'connection-refused'],
  ['ssh: connect to host 10.0.0.5 port 22: Connection timed out', 'timed-out'],
  ['Connection timed out during banner exchange', 'timed-out'],
  ['ssh: connect to host 10.0.0.5 port 22: No route to host', 'unreachable'],
  ['me@10.0.0.5: Permission denied (publickey).', 'key-refused'],
  ['No ED25519 host key is known for 10.0.0.5 and you have requested strict checking.', 'host-key-unknown'],
  [CHANGED, 'host-key-changed'],
  ['/c: line 1: Bad configuration option: foo', 'bad-configuration'],
  ['kex_exchange_identification: read: Connection reset by peer', 'other'],
])('%s', (stderr, reason) => {
  const failure = connectFailure(stderr, place);
  expect(failure.reason).toBe(reason);
  expect(failure.fix).not.toBe('');
});

it('names file and line of a host key that is not the pinned one', () => {
  expect(connectFailure(CHANGED, place).message).toContain('/h/ssh/known_hosts, line 7');
});
