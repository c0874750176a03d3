// How long the bubblewrap backend takes, beside a bare bwrap and a bare bash started by Node in the same run.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import type { SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import type { Bench } from './bench.ts';
import { sameBwrap } from './same-bwrap.ts';

const LIMITS = { cpus: 2, memoryMiB: 1024, processes: 256 };

const bareBash = "spawn('bash', ['-c', …])";
const sameFlags = 'bare bwrap … bash -c, the same flags';
const fewFlags = 'bare bwrap … bash -c, the fewest flags';

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
  rounds: 12,
  warmUp: 1,
  // The kernel clears namespaces away after their end: what follows waits for those of its own kind.
  burst: 5,
  async open() {
    const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
    const environment = { ...process.env, HERMES_HOME: home };
    const config = await loadHermesConfig(environment);
    const make = () => openSandboxWith(config, environment, { backend: 'bubblewrap', limits: LIMITS });
    const sandbox = await make();
    let last: SandboxHandle | undefined;
    return {
      cases: [
        { name: bareBash, run: () => bare('bash', ['-c', 'echo hi']) },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: bareBash, limit: { ratio: 2 } },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: bareBash,
          limit: { ratio: 2 },
        },
        { name: fewFlags, run: () => bare('bwrap', BWRAP) },
        { name: sameFlags, run: sameBwrap(sandbox.ref.name, home) },
        {
          name: 'create to first result',
          run: async () => {
            last = await make();
            await last.exec('echo hi');
          },
          after: async () => last?.destroy(),
          against: sameFlags,
          limit: { ratio: 3 },
        },
      ],
      close: async () => {
        await sandbox.destroy();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};
