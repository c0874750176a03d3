// An ssh server on loopback for the benchmark, with sshd's own limits.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findCommand, runCommand, startDaemon, waitUntil } from '../test/services/command.ts';
import { freePort } from '../test/services/free-port.ts';

export interface BenchServer {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly key: string;
  close(): Promise<void>;
}

export async function startLoopbackSshd(): Promise<BenchServer> {
  const program = await findCommand('sshd');
  if (program === undefined)
    throw new Error('Install openssh-server, or set HERMES_BENCH_SSH_HOST, _PORT, _USER and _KEY.');
  const dir = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
  const port = await freePort();
  for (const key of ['host_key', 'user_key']) {
    await runCommand(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(dir, key)]);
  }
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(dir, 'host_key')}`,
    `AuthorizedKeysFile ${join(dir, 'user_key.pub')}`,
    'PermitRootLogin prohibit-password',
    'UsePAM no',
    'StrictModes no',
    'PidFile none',
    `SetEnv "HOME=${dir}"`,
  ];
  await writeFile(join(dir, 'sshd_config'), `${config.join('\n')}\n`);
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const logFile = join(dir, 'log');
  const daemon = await startDaemon([program, '-D', '-e', '-f', join(dir, 'sshd_config')], { logFile });
  await waitUntil(async () => (await readFile(logFile, 'utf8')).includes(`port ${port}.`), {
    what: 'sshd',
    timeoutMs: 10_000,
    daemon,
  });
  return {
    host: '127.0.0.1',
    port: String(port),
    user: userInfo().username,
    key: join(dir, 'user_key'),
    async close() {
      await daemon.stop(2_000);
      await rm(dir, { recursive: true });
    },
  };
}
