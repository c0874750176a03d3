// An SSH server on loopback with its own keys, for the user who runs the tests.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { CommandFailed, isErrno, runCommand, startDaemon, waitUntil } from './command.ts';
import { freePort } from './free-port.ts';
import { NotAvailable, type Service, type ServiceContext } from './service.ts';

export interface SshAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  readonly knownHostsFile: string;
  /** Has a `config` for `ssh -F` in which the server is called `hermes-test`. */
  readonly configDir: string;
}

export const ssh: Service<SshAddress> = {
  name: 'ssh',
  async start(context) {
    const programs = await commandsOf(context, {
      sshd: 'openssh-server',
      'ssh-keygen': 'openssh-client',
      ssh: 'openssh-client',
    });
    const keygen = programs['ssh-keygen'];
    for (const key of ['host_key', 'user_key']) {
      await runCommand([keygen, '-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', join(context.dir, key)]);
    }
    const address = await writeConfig(context);
    await makePrivilegeFolder();
    // Its own process group, -D: stays in the foreground, -e: logs to stderr.
    const argv = [programs.sshd, '-D', '-e', '-f', join(context.dir, 'sshd_config')] as const;
    const daemon = await startDaemon(argv, { logFile: join(context.dir, 'log') });
    const stop = () => daemon.stop(2_000);
    try {
      await waitUntil(() => greets(address.port), {
        what: 'sshd',
        timeoutMs: 60_000,
        daemon,
        signal: context.signal,
      });
      await logIn(programs.ssh, address);
      return { address, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

async function writeConfig(context: ServiceContext): Promise<SshAddress> {
  const { dir } = context;
  const [port, user] = [await freePort(), userInfo().username];
  const [keyFile, knownHostsFile] = [join(dir, 'user_key'), join(dir, 'known_hosts')];
  const server = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(dir, 'host_key')}`,
    `AuthorizedKeysFile ${join(dir, 'user_key.pub')}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    // The keys lie in a folder below the system's temporary one, which everybody may write to.
    'StrictModes no',
    'PidFile none',
    'MaxSessions 100',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
    // Sessions get a fresh environment: without the first their leftovers would not be found, and without the second the
    // start files of the user who runs the tests would be part of every command.
    `SetEnv "HERMES_TEST_RUN=${context.runId}" "HOME=${dir}"`,
  ];
  const client = [
    'Host hermes-test',
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    `  User ${user}`,
    `  IdentityFile ${keyFile}`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    `  UserKnownHostsFile ${knownHostsFile}`,
    '  GlobalKnownHostsFile /dev/null',
    '  StrictHostKeyChecking yes',
    '  BatchMode yes',
  ];
  await writeFile(join(dir, 'sshd_config'), `${server.join('\n')}\n`);
  await writeFile(join(dir, 'config'), `${client.join('\n')}\n`, { mode: 0o600 });
  const hostKey = await readFile(join(dir, 'host_key.pub'), 'utf8');
  await writeFile(knownHostsFile, `[127.0.0.1]:${port} ${hostKey}`);
  return { host: '127.0.0.1', port, user, keyFile, knownHostsFile, configDir: dir };
}

/** sshd as root will not start without this folder, which only its system service would make. */
async function makePrivilegeFolder(): Promise<void> {
  if (process.getuid?.() !== 0) return;
  try {
    await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new NotAvailable('/run/sshd cannot be made', { cause: error });
  }
}

/** Some accounts are not let in by any server: locked ones, and those without a shell. */
async function logIn(client: string, { configDir, user }: SshAddress): Promise<void> {
  try {
    await runCommand([client, '-F', join(configDir, 'config'), 'hermes-test', 'true'], { timeoutMs: 60_000 });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new NotAvailable(`the account ${user} cannot log in: ${error.output.stderr}`, { cause: error });
  }
}

/** Whether an SSH server speaks at that port. */
function greets(port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const socket = createConnection(port, '127.0.0.1');
  socket.once('data', data => {
    resolve(data.toString().startsWith('SSH-'));
    socket.destroy();
  });
  socket.once('error', error =>
    isErrno(error, 'ECONNREFUSED', 'ECONNRESET') ? resolve(false) : reject(error),
  );
  return promise;
}
