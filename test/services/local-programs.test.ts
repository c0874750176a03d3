// Programs of this machine that sandboxes are made with: bubblewrap, bash with busybox, SSH.
import { expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { describeWith } from './use-service.ts';

describeWith('bubblewrap', address => {
  it('runs a command that sees no other process', async () => {
    const view = [
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--unshare-all',
      '--die-with-parent',
    ];
    const { stdout } = await runCommand([address().bwrap, ...view, 'sh', '-c', 'echo $$; echo /proc/[0-9]*']);
    expect(stdout).toBe('2\n/proc/1 /proc/2\n');
  });
});

describeWith('busybox', address => {
  it('has bash, and busybox for everything else', async () => {
    const script =
      'echo "${BASH_VERSION%%.*}"; readlink "$(command -v head)"; setsid -w true || echo no -w; ! command -v python3';
    const env = { PATH: address().binDir };
    // With a socket as its input bash takes itself for a remote shell and reads ~/.bashrc.
    const { stdout } = await runCommand([`${address().binDir}/bash`, '--norc', '-c', script], { env });
    expect(stdout).toBe('5\nbusybox\nno -w\n');
  });
});

describeWith('ssh', address => {
  it('runs a command as the user of the tests', async () => {
    const argv = [
      'ssh',
      '-F',
      `${address().configDir}/config`,
      'hermes-test',
      'id -un; echo $SSH_CONNECTION',
    ] as const;
    const [user, connection] = (await runCommand(argv)).stdout.split('\n');
    expect(user).toBe(address().user);
    expect(connection).toMatch(new RegExp(`^127\\.0\\.0\\.1 \\d+ 127\\.0\\.0\\.1 ${address().port}$`));
  });

  it('refuses other keys', async () => {
    const { host, port, user, knownHostsFile } = address();
    const flags = ['-F', '/dev/null', '-i', '/dev/null', '-o', 'IdentityAgent=none', '-o', 'BatchMode=yes'];
    const hosts = [
      '-o',
      `UserKnownHostsFile=${knownHostsFile}`,
      '-p',
      String(port),
      `${user}@${host}`,
      'true',
    ];
    await expect(runCommand(['ssh', ...flags, ...hosts])).rejects.toMatchObject({ exitCode: 255 });
  });
});
