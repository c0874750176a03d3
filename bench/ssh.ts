// How long commands take behind ssh on loopback, beside `ssh` over a kept connection with a process for each command.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { bare } from './bare.ts';
import { defineBench, type UseService } from './bench.ts';

/** What the test service calls its server in the client's configuration. */
const HOST = 'hermes-test';
const needs = ['ssh'] as const;

export const ssh = defineBench({
  title: 'The ssh backend, on loopback',
  about: 'A one-shot command starts a bash on the server, which alone takes more than a millisecond.',
  rounds: 20,
  burst: 5,
  needs,
  cases: {
    client: { name: '`ssh` over a kept connection (ControlMaster)' },
    persistent: { name: 'persistent', against: 'client', limit: 0.28, isShort: true },
    oneShot: { name: 'one-shot', against: 'client', limit: 0.5 },
  },
  async open(use) {
    const { dir, client, openSandbox, close } = await prepare(use);
    const kept = [...client, '-o', `ControlPath=${join(dir, 'm')}`];
    execFileSync('ssh', [...kept, '-f', '-N', '-o', 'ControlMaster=yes', HOST], { stdio: 'ignore' });
    const sandbox = await openSandbox();
    return {
      runs: {
        client: { run: () => bare('ssh', [...kept, HOST, 'echo hi']) },
        persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
        oneShot: { run: () => sandbox.exec('echo hi') },
      },
      async close() {
        await sandbox.destroy();
        execFileSync('ssh', [...kept, '-O', 'exit', HOST], { stdio: 'ignore' });
        await close();
      },
    };
  },
});

export const sshCreate = defineBench({
  title: 'New sandboxes on the ssh backend',
  rounds: 10,
  needs,
  cases: {
    client: { name: '`ssh`, a new connection' },
    create: { name: 'connect, create, first command, destroy', against: 'client', limit: 4 },
  },
  async open(use) {
    const { client, openSandbox, close } = await prepare(use);
    return {
      runs: {
        client: { run: () => bare('ssh', [...client, HOST, 'echo hi']) },
        create: {
          run: async () => {
            await using sandbox = await openSandbox();
            await sandbox.exec('echo hi');
          },
        },
      },
      close,
    };
  },
});

async function prepare(use: UseService) {
  const server = await use('ssh');
  const dir = await mkdtemp(join(tmpdir(), 'hb-'));
  const environment = {
    ...readEnvironment(),
    ...{ HERMES_HOME: dir, TERMINAL_SSH_HOST: server.host, TERMINAL_SSH_PORT: String(server.port) },
    ...{ TERMINAL_SSH_USER: server.user, TERMINAL_SSH_KEY: server.keyFile },
  };
  const config = await loadHermesConfig(environment);
  return {
    dir,
    client: ['-F', join(server.configDir, 'config'), '-o', 'LogLevel=ERROR'],
    openSandbox: () => openSandboxWith(config, environment, { backend: 'ssh' }),
    close: () => rm(dir, { recursive: true }),
  };
}
