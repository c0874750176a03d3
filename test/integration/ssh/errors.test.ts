// Whatever stands in the way of a connection has an error of its own that says what to do; nothing is accepted by itself.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backend } from '../../../src/index.ts';
import { runCommand } from '../../services/command.ts';
import { freePort } from '../../services/free-port.ts';
import { describeWith } from '../../services/use-service.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';
import { openHandle, socketDirs, specOf } from './ssh-trial.ts';

let server: SshServer;

/** Both doors tell the same, and nothing is left. */
async function failureOf(backend: Backend): Promise<{ message: string; fix: string; reason: unknown }> {
  const [problem, ...others] = await backend.check();
  expect(others).toEqual([]);
  const error = await backend.create(specOf()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'UNAVAILABLE_BACKEND', details: { ...problem } });
  await backend.close();
  expect(await socketDirs()).toEqual([]);
  const { reason } = (error as { details: { reason: unknown } }).details; // matched above
  return { message: problem?.message ?? '', fix: problem?.fix ?? '', reason };
}

async function setUp(): Promise<void> {
  server = await startSshServer();
}

describeWith('ssh', () => {
  beforeAll(setUp);
  afterAll(() => server.stop());

  it('tells that no machine is set', async () => {
    const { reason, fix } = await failureOf(await server.backend({ TERMINAL_SSH_HOST: '' }));
    expect(reason).toBe('no-host');
    expect(fix).toContain('terminal.ssh_host');
  });

  it('tells that there is no ssh', async () => {
    const { reason, fix } = await failureOf(await server.backend({}, { PATH: '/nonexistent' }));
    expect(reason).toBe('no-ssh');
    expect(fix).toContain('openssh-client');
  });

  it('tells an unknown host', async () => {
    const { reason, message } = await failureOf(
      await server.backend({ TERMINAL_SSH_HOST: 'nowhere.invalid' }),
    );
    expect(reason).toBe('unknown-host');
    expect(message).toContain('nowhere.invalid');
  });

  it('tells that nothing answers', async () => {
    const port = String(await freePort());
    const { reason, message } = await failureOf(await server.backend({ TERMINAL_SSH_PORT: port }));
    expect(reason).toBe('connection-refused');
    expect(message).toContain(`port ${port}`);
  });

  it('tells a refused key and what to do with one', async () => {
    const key = join(server.dir, 'stranger');
    await runCommand(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const { reason, fix } = await failureOf(await server.backend({ TERMINAL_SSH_KEY: key }));
    expect(reason).toBe('key-refused');
    expect(fix).toContain('authorized_keys');
  });

  it('pins the host key in a file of its own, and refuses another one', async () => {
    const pinned = join(server.gatewayHome, 'ssh', 'known_hosts');
    const before = await server.backend();
    expect(await before.check()).toEqual([]);
    await before.close();
    const keys = await readFile(pinned, 'utf8');
    await server.restart({ newHostKey: true });
    const { reason, message } = await failureOf(await server.backend());
    expect(reason).toBe('host-key-changed');
    expect(message).toContain(`${pinned}, line 1`);
    expect(await readFile(pinned, 'utf8')).toBe(keys);
  });
});

describeWith('ssh', () => {
  beforeAll(setUp);
  afterAll(() => server.stop());

  const configure = async (...lines: string[]): Promise<Record<string, string>> => {
    const path = join(server.dir, 'config');
    const alias = [
      'Host build',
      '  HostName 127.0.0.1',
      `  Port ${server.port}`,
      `  IdentityFile ${server.keyFile}`,
    ];
    await writeFile(path, [...alias, ...lines, ''].join('\n'), { mode: 0o600 });
    return {
      TERMINAL_SSH_CONFIG: path,
      TERMINAL_SSH_HOST: 'build',
      TERMINAL_SSH_PORT: '22',
      TERMINAL_SSH_KEY: server.keyFile,
    };
  };

  it('honours strict checking of host keys where the operator has asked for it', async () => {
    const settings = await configure('  StrictHostKeyChecking yes', '  UserKnownHostsFile /dev/null');
    expect((await failureOf(await server.backend(settings))).reason).toBe('host-key-unknown');
  });

  it('tells a configuration that ssh does not accept', async () => {
    expect((await failureOf(await server.backend(await configure('  Nonsense yes')))).reason).toBe(
      'bad-configuration',
    );
  });

  it('honours aliases and jump hosts, and nothing that would forward or run something here', async () => {
    const jump = ['Host inner', '  HostName 127.0.0.1', `  Port ${server.port}`, '  ProxyJump build'];
    const checks = [
      'Host *',
      '  StrictHostKeyChecking no',
      `  UserKnownHostsFile ${join(server.dir, 'theirs')}`,
    ];
    const forwards = [
      '  ForwardAgent yes',
      '  LocalForward 127.0.0.1:1 127.0.0.1:1',
      '  RemoteCommand false',
    ];
    const settings = await configure(...jump, ...forwards, ...checks);
    const backend = await server.backend({ ...settings, TERMINAL_SSH_HOST: 'inner' });
    const handle = await openHandle(backend);
    expect((await handle.exec('echo "${SSH_AUTH_SOCK-none}"')).stdout).toBe('none\n');
    await handle.destroy();
    await backend.close();
  });
});
