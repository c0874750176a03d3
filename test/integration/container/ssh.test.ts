// Another machine as the place for commands, from within the container of the gateway.
import { randomBytes } from 'node:crypto';
import { chown, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCommand, startDaemon } from '../../services/command.ts';
import { dockerCommand } from '../../services/docker.ts';
import { needService } from '../../services/use-service.ts';
import { runFlags, tryDocker } from './house.ts';

/** Of the user in the image. */
const UID = 10_001;

describe('ssh from the container of the gateway', () => {
  const gateway = needService('gateway-image');
  const ssh = needService('ssh');

  it('runs commands on the machine that it names', async context => {
    const { docker, image } = gateway();
    // The engine of a developer is in the network of the machine, where no test listens.
    if (!docker.own) return context.skip('the engine is not one of the tests’ own');
    const name = `hermes-ssh-${randomBytes(4).toString('hex')}`;
    await dockerCommand(docker, 'network', 'create', '--internal', name);
    const keys = await mkdtemp(join(tmpdir(), 'keys-'));
    const { keyFile, configDir, port, user } = ssh();
    const [nsenter, sshd] = await Promise.all([findCommand('nsenter'), findCommand('sshd')]);
    const format = '{{(index .IPAM.Config 0).Gateway}}';
    const host = (await dockerCommand(docker, 'network', 'inspect', '--format', format, name)).trim();
    const listen = [String(sshd), '-D', '-e', '-o', `ListenAddress=${host}`];
    const server = await startDaemon(
      [
        ...([String(nsenter), `--net=/proc/${docker.own.pid}/ns/net`] as const),
        ...[...listen, '-f', join(configDir, 'sshd_config')],
      ],
      { logFile: join(keys, 'log') },
    );
    try {
      await copyFile(keyFile, join(keys, 'key'));
      for (const path of [keys, join(keys, 'key')]) await chown(path, UID, UID);
      const settings = {
        WEB_PASSWORD: 'a password of words',
        TERMINAL_SSH_HOST: host,
        TERMINAL_SSH_PORT: String(port),
        TERMINAL_SSH_USER: user,
        TERMINAL_SSH_KEY: '/keys/key',
      };
      const flags = [
        ...[...runFlags(), '--network', name, '--volume', `${keys}:/keys`],
        ...Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ];
      const words = ['run', '--backend', 'ssh', '--', 'echo from $(id -un)'];
      const { code, stdout, stderr } = await tryDocker(docker, 'run', '--rm', ...flags, image, ...words);
      expect([code, stdout.trim()], stderr).toEqual([0, `from ${user}`]);
    } finally {
      await server.stop(2000);
      await dockerCommand(docker, 'network', 'rm', name);
      await rm(keys, { recursive: true });
    }
  });
});
