// How long the bubblewrap backend takes, beside a bare bwrap and a bare bash started by Node in the same run.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import type { SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import { defineBench } from './bench.ts';
import { sameBwrap } from './same-bwrap.ts';

const needs = ['bubblewrap'] as const;
const LIMITS = { cpus: 2, memoryMiB: 1024, processes: 256 };

/** The fewest flags that make a sandbox for one command: the same namespaces, no limits, no filter. */
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

export const bubblewrap = defineBench({
  title: 'Commands on the bubblewrap backend',
  rounds: 40,
  burst: 5,
  needs,
  cases: {
    bare: { name: "`spawn('bash', ['-c', …])`" },
    oneShot: { name: 'one-shot', against: 'bare', limit: 1.6, isShort: true },
    persistent: { name: 'persistent', against: 'bare', limit: 0.9, isShort: true },
  },
  async open() {
    const { make, close } = await prepare();
    const sandbox = await make();
    return {
      runs: {
        bare: { run: () => bare('bash', ['-c', 'echo hi']) },
        oneShot: { run: () => sandbox.exec('echo hi') },
        persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
      },
      close: async () => {
        await sandbox.destroy();
        await close();
      },
    };
  },
});

export const bubblewrapCreate = defineBench({
  title: 'New sandboxes on the bubblewrap backend',
  about:
    'The same flags are those of a sandbox of Hermes. They take longer than the fewest flags for the hardening: some twenty more mounts,\nand the filter for system calls.',
  rounds: 12,
  // The kernel clears namespaces away after their end: what follows waits for those of its own kind.
  burst: 3,
  needs,
  cases: {
    fewFlags: { name: 'bare `bwrap … bash -c`, the fewest flags' },
    sameFlags: { name: 'bare `bwrap … bash -c`, the same flags' },
    create: { name: 'create to first result', against: 'sameFlags', limit: 4, isShort: true },
  },
  async open() {
    const { home, make, close } = await prepare();
    const sandbox = await make();
    let last: SandboxHandle | undefined;
    return {
      runs: {
        fewFlags: { run: () => bare('bwrap', BWRAP) },
        sameFlags: { run: await sameBwrap(sandbox.ref.name, home) },
        create: {
          run: async () => {
            last = await make();
            await last.exec('echo hi');
          },
          after: () => last?.destroy(),
        },
      },
      close: async () => {
        await sandbox.destroy();
        await close();
      },
    };
  },
});

async function prepare() {
  const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
  const environment = { ...process.env, HERMES_HOME: home };
  const config = await loadHermesConfig(environment);
  return {
    home,
    make: () => openSandboxWith(config, environment, { backend: 'bubblewrap', limits: LIMITS }),
    close: () => rm(home, { recursive: true, force: true }),
  };
}
