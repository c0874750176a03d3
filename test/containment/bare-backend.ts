// No sandbox at all, and no care either: commands inherit everything, and ending it ends only what it started itself.
// It is the positive control of what even the local backend keeps from commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HermesError } from '../../src/base/errors.ts';
import type { Backend, ProcessExit, Sandbox, SandboxProcess } from '../../src/index.ts';

export interface BareOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Commands see no /proc, so a kill from inside finds nothing. */
  readonly isBlind: boolean;
}

export function bareBackend({ environment, isBlind }: BareOptions): Backend {
  const prefix = isBlind
    ? ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh']
    : [];
  return {
    name: isBlind ? 'bare and blind' : 'bare',
    capabilities: {
      isolation: 'none',
      ownProcesses: false,
      survivesGateway: false,
      suspend: false,
      snapshot: false,
      images: false,
      mounts: false,
      networks: ['open'],
    },
    check: async () => [],
    async create(spec) {
      const folder = await mkdtemp(join(tmpdir(), 'bare-'));
      const children = new Set<ChildProcess>();
      const sandbox: Sandbox = {
        ref: { backend: 'bare', id: spec.id, name: spec.id, installation: spec.installation },
        workdir: folder,
        env: spec.env,
        enforcement: { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' },
        channelDir: join(folder, 'channel'),
        spawn: async argv => {
          const [program = '', ...args] = [...prefix, ...argv];
          const child = spawn(program, args, { cwd: folder, env: environment });
          children.add(child);
          await once(child, 'spawn');
          return asProcess(child);
        },
        async destroy() {
          for (const child of children) child.kill('SIGKILL');
          children.clear();
          // What they started goes on, and may write here until it has noticed.
          await rm(folder, { recursive: true, force: true, maxRetries: 10 });
        },
      };
      return sandbox;
    },
    attach: async ref => {
      throw new HermesError('SANDBOX_GONE', `${ref.name} is gone.`);
    },
    async *list() {},
    close: async () => undefined,
  };
}

function asProcess(child: ReturnType<typeof spawn>): SandboxProcess {
  const { stdin, stdout, stderr } = child;
  stdin?.on('error', () => stdin.destroy());
  return {
    write: async data => {
      if (!stdin?.destroyed && stdin?.write(data) === false) await once(stdin, 'drain');
    },
    end: () => stdin?.end(),
    onOutput(listener) {
      stdout?.on('data', (data: Uint8Array) => listener('stdout', data));
      stderr?.on('data', (data: Uint8Array) => listener('stderr', data));
    },
    exit: once(child, 'exit').then(([code, signal]): ProcessExit => (signal ? { signal } : { code })),
    kill: () => child.kill('SIGKILL'),
  };
}
