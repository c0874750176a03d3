// How long commands take behind ssh, beside `ssh` over a kept connection with a process for each command. The server is
// that of HERMES_BENCH_SSH_HOST, _PORT, _USER and _KEY; without them one is started on loopback.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { bare } from './bare.ts';
import type { Bench } from './bench.ts';
import { type BenchServer, startLoopbackSshd } from './loopback-sshd.ts';

const keptConnection = 'ssh, ControlMaster';
const newConnection = 'ssh, new connection';

export const ssh: Bench = {
  doc: 'Commands on the ssh backend',
  rounds: 8,
  warmUp: 1,
  burst: 20,
  async open() {
    const { server, args, openSandbox, close } = await prepare();
    const socket = ['-o', `ControlPath=${join(args.dir, 'm')}`];
    execFileSync('ssh', [...args.ssh, ...socket, '-f', '-N', '-o', 'ControlMaster=yes', server.host], {
      stdio: 'ignore',
    });
    const sandbox = await openSandbox();
    const limit = { ratio: 0.2 };
    return {
      cases: [
        { name: keptConnection, run: () => bare('ssh', [...args.ssh, ...socket, server.host, 'echo hi']) },
        // A new bash there for each; what is promised is the way commands go by default.
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: keptConnection },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: keptConnection,
          limit,
        },
      ],
      async close() {
        await sandbox.destroy();
        execFileSync('ssh', [...socket, '-O', 'exit', server.host], { stdio: 'ignore' });
        await close();
      },
    };
  },
};

export const sshCreate: Bench = {
  doc: 'Sandboxes on the ssh backend',
  rounds: 10,
  warmUp: 1,
  async open() {
    const { server, args, openSandbox, close } = await prepare();
    const createAndRun = async (): Promise<void> => {
      await using sandbox = await openSandbox();
      await sandbox.exec('echo hi');
    };
    return {
      cases: [
        { name: newConnection, run: () => bare('ssh', [...args.ssh, server.host, 'echo hi']) },
        { name: 'connect, create, first command, destroy', run: createAndRun, against: newConnection },
      ],
      close,
    };
  },
};

async function prepare() {
  const server = await serverOf();
  const dir = await mkdtemp(join(tmpdir(), 'hb-'));
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${join(dir, 'known')}`,
  ];
  const ssh = [
    '-F',
    'none',
    '-i',
    server.key,
    '-p',
    server.port,
    '-l',
    server.user,
    ...options.flatMap(it => ['-o', it]),
  ];
  const environment = {
    ...readEnvironment(),
    HERMES_HOME: dir,
    TERMINAL_SSH_HOST: server.host,
    TERMINAL_SSH_PORT: server.port,
    TERMINAL_SSH_USER: server.user,
    TERMINAL_SSH_KEY: server.key,
  };
  const config = await loadHermesConfig(environment);
  return {
    server,
    args: { dir, ssh: [...ssh, '-o', 'LogLevel=ERROR'] },
    openSandbox: () => openSandboxWith(config, environment, { backend: 'ssh' }),
    async close() {
      await rm(dir, { recursive: true });
      await server.close();
    },
  };
}

async function serverOf(): Promise<BenchServer> {
  const environment = readEnvironment();
  const host = environment['HERMES_BENCH_SSH_HOST'];
  if (host === undefined) return startLoopbackSshd();
  return {
    host,
    port: environment['HERMES_BENCH_SSH_PORT'] ?? '22',
    user: environment['HERMES_BENCH_SSH_USER'] ?? environment['USER'] ?? '',
    key: environment['HERMES_BENCH_SSH_KEY'] ?? '',
    close: async () => undefined,
  };
}
