import { expect, it } from 'vitest';
import { expectLinear } from '../../test/cpu.ts';
import { missesNetwork } from './network-hint.ts';

it.each([
  'curl: (6) Could not resolve host: example.org',
  "curl: (7) Failed to connect to 93.184.216.34 port 443 after 0 ms: Couldn't connect to server",
  'curl: (7) Failed to connect to example.org port 80: Network is unreachable',
  'ping: connect: Network is unreachable',
  'ping: example.org: Temporary failure in name resolution',
  'ping: unknown host example.org',
  "wget: unable to resolve host address 'example.org'",
  "wget: bad address 'example.org'",
  "Err:1 http://deb.debian.org/debian bookworm InRelease\n  Temporary failure resolving 'deb.debian.org'",
  'E: Failed to fetch http://deb.debian.org/debian/pool/main/j/jq/jq_1.6.deb  Could not connect',
  '  Could not connect to deb.debian.org:80 (151.101.2.132). - connect (101: Network is unreachable)',
  'dial tcp: lookup example.org on 10.0.0.2:53: no such host',
  'psql: error: could not translate host name "db.example.org" to address: Name or service not known',
  "Couldn't resolve host name",
  'TypeError: fetch failed',
  'npm error code EAI_AGAIN',
  'npm error network request to https://packages.example/left-pad failed, reason: connect',
  'npm ERR! network This is a problem related to network connectivity.',
  'FetchError: request to https://packages.example/left-pad failed, reason: getaddrinfo ENOTFOUND',
  "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<pip._vendor...>')'",
  'socket.gaierror: [Errno -2] Name or service not known',
  "fatal: unable to access 'https://github.com/a/b.git/': Could not resolve host: github.com",
  'ssh: Could not resolve hostname github.com: Temporary failure in name resolution\r\nfatal: Could not read from remote repository.',
  'warning: spurious network error (3 tries remaining): [6] Could not resolve hostname',
  'error sending request for url (https://index.crates.io/): dns error: failed to lookup address information',
  'java.net.UnknownHostException: repo.maven.apache.org',
  "ERROR 2005 (HY000): Unknown MySQL server host 'db' (-3)",
  ';; connection timed out; no servers could be reached',
])('knows what programs say without a network: %j', text => {
  expect(missesNetwork(`before\n${text}\nafter`)).toBe(true);
});

it.each([
  '2 tests passed; connection pool closed',
  "curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server",
  'curl: (7) Failed to connect to 127.0.0.1 port 80: Connection refused',
  'sudo: unable to resolve host sandbox: Name or service not known',
  'could not resolve dependency: peer react@"^17"',
  'no such file or directory',
  'Failed to connect the parts of the drawing',
  'hosts: files dns',
])('takes %j for something else', text => {
  expect(missesNetwork(text)).toBe(false);
});

it('takes no more than linear time for a long line', () => {
  expectLinear(50_000, times =>
    missesNetwork(`${'failed to connect to '.repeat(times)}\n${'could not resolve '.repeat(times)}`),
  );
});
