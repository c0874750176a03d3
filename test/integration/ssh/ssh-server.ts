// An ssh server of a test's own: its own home folder, host key and limits, and a hand on its connections.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend } from '../../../src/backends/ssh/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Backend } from '../../../src/index.ts';
import { type Daemon, findCommand, runCommand, startDaemon, waitUntil } from '../../services/command.ts';
import { freePort } from '../../services/free-port.ts';
import { runVariable } from '../../services/leftovers.ts';
import { NotAvailable } from '../../services/service.ts';
import { useService } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface SshServerOptions {
  /** Further lines of sshd_config; limits are sshd's own defaults. */
  readonly config?: readonly string[];
  /** Variables of every session there. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface SshServer {
  readonly dir: string;
  /** The home folder of the sessions. */
  readonly home: string;
  readonly port: number;
  readonly keyFile: string;
  /** The gateway's own folder, where host keys are pinned. */
  readonly gatewayHome: string;
  /** A backend that connects here; settings in the form of their variables. */
  backend(
    settings?: Readonly<Record<string, string>>,
    environment?: Readonly<Record<string, string>>,
  ): Promise<Backend>;
  /** Process ids of the server's ends of connections. */
  connections(): Promise<readonly number[]>;
  /** Starts it again on the same port; connections that are there stay. */
  restart(options?: { newHostKey?: true }): Promise<void>;
  stop(): Promise<void>;
}

/** Throws `NotAvailable` where no sshd can run. */
export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const { keyFile } = await useService('ssh');
  const program = await findCommand('sshd');
  if (program === undefined) throw new NotAvailable('there is no sshd');
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'sshd-')));
  const [home, gatewayHome] = [join(dir, 'home'), join(dir, 'gateway')];
  for (const folder of [home, gatewayHome]) await mkdir(folder, { mode: 0o700 });
  const port = await freePort();
  await writeFile(join(dir, 'sshd_config'), configOf({ dir, home, port, keyFile }, options).join('\n'));
  await makeHostKey(dir);
  let daemon = await startDaemonAt(program, dir, port);
  const common = { HOME: gatewayHome, HERMES_HOME: gatewayHome, PATH: readEnvironment()['PATH'] ?? '' };
  return {
    dir,
    home,
    port,
    keyFile,
    gatewayHome,
    async backend(settings = {}, environment = {}) {
      const own = {
        TERMINAL_SSH_HOST: '127.0.0.1',
        TERMINAL_SSH_PORT: String(port),
        TERMINAL_SSH_KEY: keyFile,
      };
      const config = await loadHermesConfig({ ...common, ...own, ...settings });
      return createBackend(config, {
        environment: { ...common, ...environment },
        cwd: dir,
        tmpDir: tmpdir(),
        home: gatewayHome,
        variable: () => undefined,
        progress: () => undefined,
        clock: systemClock,
      });
    },
    connections: () => connectionsOf(daemon.pid),
    async restart({ newHostKey } = {}) {
      daemon.kill('SIGTERM');
      await waitUntil(async () => daemon.hasEnded(), { what: 'the end of sshd', timeoutMs: PATIENCE_MS });
      if (newHostKey) await makeHostKey(dir);
      daemon = await startDaemonAt(program, dir, port);
    },
    async stop() {
      await daemon.stop(2_000);
      await rm(dir, { recursive: true });
    },
  };
}

type Place = Pick<SshServer, 'dir' | 'home' | 'port' | 'keyFile'>;

function configOf(
  { dir, home, port, keyFile }: Place,
  { config = [], variables = {} }: SshServerOptions,
): string[] {
  const run = readEnvironment()[runVariable] ?? '';
  const session = { HOME: home, [runVariable]: run, ...variables };
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(dir, 'host_key')}`,
    `AuthorizedKeysFile ${keyFile}.pub`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'StrictModes no',
    'PidFile none',
    `SetEnv ${Object.entries(session)
      .map(([name, value]) => `"${name}=${value}"`)
      .join(' ')}`,
    ...config,
    '',
  ];
}

async function makeHostKey(dir: string): Promise<void> {
  for (const name of ['host_key', 'host_key.pub']) await rm(join(dir, name), { force: true });
  await runCommand(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(dir, 'host_key')]);
}

async function startDaemonAt(program: string, dir: string, port: number): Promise<Daemon> {
  const logFile = join(dir, 'log');
  // What an earlier one said there is no sign that this one listens.
  await rm(logFile, { force: true });
  const daemon = await startDaemon([program, '-D', '-e', '-f', join(dir, 'sshd_config')], { logFile });
  await waitUntil(async () => (await readFile(daemon.logFile, 'utf8')).includes(`port ${port}.`), {
    what: 'sshd',
    timeoutMs: PATIENCE_MS,
    daemon,
  });
  return daemon;
}

async function connectionsOf(daemon: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) === daemon && state !== 'Z') found.push(pid);
  }
  return found;
}
