import { expect, it } from 'vitest';
import { missesNetwork } from './network-hint.ts';

it('knows what programs say without a network', () => {
  for (const text of [
    'curl: (6) Could not resolve host: example.org',
    'ping: connect: Network is unreachable',
    'fatal: unable to access: Temporary failure in name resolution',
    'npm error code EAI_AGAIN',
    "wget: bad address 'example.org'",
  ])
    expect(missesNetwork(text)).toBe(true);
  expect(missesNetwork('2 tests passed; connection pool closed')).toBe(false);
});
