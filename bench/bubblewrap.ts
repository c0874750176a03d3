// How long the bubblewrap backend takes, beside a bare bwrap and a bare bash started by Node in the same run.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import type { SandboxHandle } from '../src/index.ts';
import type { Bench } from './bench.ts';

const LIMITS = { cpus: 2, memoryMiB: 1024, processes: 256 };

const bareBash = "spawn('bash', ['-c', …])";
const bareBwrap = 'bare bwrap … bash -c';

/** What anybody would write who wants a sandbox for one command: the same namespaces, no limits, no filter. */
const BWRAP = [
  ...[
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup',
    '--unshare-net',
  ],
  ...['--disable-userns', '--cap-drop', 'ALL', '--clearenv', '--die-with-parent', '--new-session'],
  ...[
    '--setenv',
    'PATH',
    '/usr/bin:/bin',
    '--ro-bind',
    '/usr',
    '/usr',
    '--ro-bind',
    '/etc/ssl/certs',
    '/etc/ssl/certs',
  ],
  ...['bin', 'lib', 'lib64'].flatMap(name => ['--symlink', `usr/${name}`, `/${name}`]),
  ...[
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/workspace',
    '--chdir',
    '/workspace',
  ],
  ...['bash', '-c', 'echo hi'],
];

export const bubblewrap: Bench = {
  doc: 'The bubblewrap backend',
  rounds: 60,
  warmUp: 3,
  async open() {
    const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
    const environment = { ...process.env, HERMES_HOME: home };
    const config = await loadHermesConfig(environment);
    const make = () => openSandboxWith(config, environment, { backend: 'bubblewrap', limits: LIMITS });
    const sandbox = await make();
    // Ended between the measurements, so that only the way to the first result is counted.
    let last: SandboxHandle | undefined;
    const settle = async () => last?.destroy();
    return {
      cases: [
        { name: bareBash, run: () => finished(start('bash', ['-c', 'echo hi'])) },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: bareBash, limit: { ratio: 2 } },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: bareBash,
          limit: { ratio: 2 },
        },
        { name: bareBwrap, run: () => finished(start('bwrap', BWRAP)) },
        {
          name: 'create to first result',
          run: async () => {
            last = await make();
            await last.exec('echo hi');
          },
          against: bareBwrap,
          limit: { ratio: 3 },
        },
        { name: 'destroy', run: settle },
      ],
      close: async () => {
        await sandbox.destroy();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};

/** Without an input: bash takes a socket there for a remote login and reads the user's start files. */
function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

function finished(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
