// Machines made of namespaces: a bare Debian, and the one that Apptainer runs in.
import { expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { describeWith } from './use-service.ts';

describeWith('bare-machine', address => {
  const sandbox = [
    'bwrap',
    '--ro-bind',
    '/',
    '/',
    '--unshare-all',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    'sh',
    '-c',
  ];

  it('is a Debian 12 of its own', async () => {
    const { stdout } = await runCommand([
      ...address().asRoot,
      'sh',
      '-c',
      '. /etc/os-release; echo $VERSION_CODENAME; id -u',
    ]);
    expect(stdout).toBe('bookworm\n0\n');
    await expect(runCommand([...address().asRoot, 'node', '--version'])).rejects.toMatchObject({
      exitCode: 127,
    });
  });

  it('lets root and an ordinary user make sandboxes with bubblewrap', async () => {
    const script = 'id -u; grep -c : /proc/net/dev';
    expect((await runCommand([...address().asRoot, ...sandbox, script])).stdout).toBe('0\n1\n');
    expect((await runCommand([...address().asUser, ...sandbox, script])).stdout).toBe('1000\n1\n');
  });
});

describeWith('apptainer', address => {
  it('starts an instance, runs a command in it, and stops it', async () => {
    const { apptainer, sif } = address();
    const isolation = ['--containall', '--no-home', '--writable-tmpfs', '--net', '--network', 'none'];
    await runCommand([apptainer, 'instance', 'start', ...isolation, sif, 'smoke']);
    try {
      const script = 'touch /x && id -u && python3 -c "print(6 * 7)" && grep -c : /proc/net/dev';
      const { stdout } = await runCommand([apptainer, 'exec', 'instance://smoke', 'bash', '-c', script]);
      expect(stdout).toBe('1000\n42\n1\n');
    } finally {
      await runCommand([apptainer, 'instance', 'stop', 'smoke']);
    }
    const { stdout } = await runCommand([apptainer, 'instance', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual({ instances: [] });
  });
});
