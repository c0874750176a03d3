// The command lines of ssh, judged by ssh itself where that is possible without a network.
import { expect, it } from 'vitest';
import { fileList, masterArguments, resolveArguments, sessionArguments } from './arguments.ts';

it('leaves to the operator’s configuration what was not set', () => {
  expect(resolveArguments({ host: 'build' })).toEqual(['ssh', '-G', '--', 'build']);
});

it('passes user, port and key on, and then no other key', () => {
  const target = { host: 'h', user: 'me', port: 2222, keyFile: '/k/a b', configFile: '/c' };
  expect(resolveArguments(target)).toEqual([
    ...['ssh', '-G', '-F', '/c', '-l', 'me', '-p', '2222'],
    ...['-o', 'IdentityFile="/k/a b"', '-o', 'IdentitiesOnly=yes', '--', 'h'],
  ]);
});

it('keeps a host that looks like an option from being one', () => {
  const argv = masterArguments(
    { host: '-oProxyCommand=x' },
    { socket: '/s', knownHosts: '/k', strict: 'yes' },
  );
  expect(argv.slice(-2)).toEqual(['--', '-oProxyCommand=x']);
});

it('forwards nothing and asks nobody', () => {
  const argv = masterArguments({ host: 'h' }, { socket: '/s', knownHosts: '/k', strict: 'accept-new' });
  for (const option of [
    'BatchMode=yes',
    'ForwardAgent=no',
    'ForwardX11=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'RequestTTY=no',
    'StrictHostKeyChecking=accept-new',
    'ControlPersist=300',
  ]) {
    expect(argv).toContain(option);
  }
});

it('never makes a connection of its own for a session', () => {
  expect(sessionArguments('/s', 'true')).toContain('ProxyCommand=false');
  expect(sessionArguments('/a%b', 'true')).toContain('ControlPath=/a%%b');
});

it('quotes our own file in a list of files', () => {
  expect(fileList('/a b/100%"', '/etc/k1 /etc/k2')).toBe('"/a b/100%%\\"" /etc/k1 /etc/k2');
});
