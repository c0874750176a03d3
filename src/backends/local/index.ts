// The local backend: commands run on this machine, with the gateway's rights. It contains nothing and says so.
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { Backend, DriverContext, Sandbox, SandboxRef, SandboxSpec } from '../backend.ts';
import { type Child, startChild } from '../child-process.ts';
import type { section as terminal } from '../settings.ts';
import { type Cgroup, openCgroup } from './cgroup.ts';
import { scrubEnvironment } from './environment.ts';
import { facts } from './facts.ts';
import { endProcesses } from './processes.ts';

type LocalSettings = SettingsReader<(typeof terminal)['settings']>;

const PREFIX = 'hermes-';
const LABEL = 'sandbox.json';

export function createBackend(settings: LocalSettings, context: DriverContext): Backend {
  const folderOf = (ref: SandboxRef): string => join(context.tmpDir, ref.name);
  const inherited = scrubEnvironment(context.environment, settings.get('terminal.env_passthrough'));
  const startFolder = settings.get('terminal.cwd') ?? context.cwd;
  const open = async (ref: SandboxRef, spec: Pick<SandboxSpec, 'env' | 'cwd'>): Promise<Sandbox> => {
    const cgroup = await openCgroup(ref.name, context.clock);
    return localSandbox({
      ref,
      env: spec.env,
      inherited,
      cgroup,
      workdir: spec.cwd ?? startFolder,
      folder: folderOf(ref),
    });
  };
  return {
    name: 'local',
    capabilities: facts.capabilities,
    check: async () => [],
    inspect: async () => ({
      programs: [],
      limits: { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' },
    }),
    async create(spec) {
      const ref: SandboxRef = {
        backend: 'local',
        id: spec.id,
        name: `${PREFIX}${spec.id}`,
        installation: spec.installation,
        ...(spec.session === undefined ? {} : { session: spec.session }),
      };
      await mkdir(folderOf(ref), { mode: 0o700 });
      const { env, cwd } = spec;
      await writePrivateFile(join(folderOf(ref), LABEL), JSON.stringify({ ref, cwd }));
      return open(ref, cwd === undefined ? { env } : { env, cwd });
    },
    async attach(ref, { env = {} } = {}) {
      const label = await readLabel(folderOf(ref));
      if (label === undefined) throw gone(ref);
      return open(ref, { env, ...(label.cwd === undefined ? {} : { cwd: label.cwd }) });
    },
    async *list(installation) {
      for (const name of await readdir(context.tmpDir)) {
        if (!name.startsWith(PREFIX)) continue;
        const label = await readLabel(join(context.tmpDir, name));
        if (label?.ref.installation === installation) yield label.ref;
      }
    },
    close: async () => {},
  };
}

interface Label {
  readonly ref: SandboxRef;
  readonly cwd?: string;
}

/** Undefined for whatever is not a sandbox of ours, or not any more. */
async function readLabel(folder: string): Promise<Label | undefined> {
  try {
    // Anybody may make folders and links in a shared /tmp: what another user made is not ours, wherever it leads.
    const about = await lstat(folder);
    if (!about.isDirectory() || about.uid !== process.getuid?.()) return undefined;
    return JSON.parse(await readFile(join(folder, LABEL), 'utf8')) as Label; // our own file, written by `create`
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

interface Parts {
  readonly ref: SandboxRef;
  readonly env: Readonly<Record<string, string>>;
  /** What is left of the gateway's own environment. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly folder: string;
  readonly cgroup: Cgroup | undefined;
}

function localSandbox({ ref, env, inherited, workdir, folder, cgroup }: Parts): Sandbox {
  const children = new Set<Child>();
  const tag = `HERMES_SANDBOX=${ref.id}`;
  let destroyed = false;
  return {
    ref,
    workdir,
    env,
    enforcement: { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' },
    channelDir: join(folder, 'channel'),
    async spawn(argv) {
      if (destroyed || (await readLabel(folder)) === undefined) throw gone(ref);
      const child = await start(argv, workdir, { ...inherited, HERMES_SANDBOX: ref.id });
      children.add(child);
      void child.exit.then(() => children.delete(child));
      try {
        await cgroup?.add(child.pid);
      } catch (error) {
        // It may have ended already; without its cgroup the sandbox is being destroyed.
        if (systemErrorCode(error) === 'ESRCH') return child;
        child.kill();
        throw gone(ref, error);
      }
      return child;
    },
    async destroy() {
      destroyed = true;
      const exits = [...children].map(child => child.exit);
      await cgroup?.kill();
      await endProcesses(
        tag,
        [...children].map(child => child.pid),
      );
      await Promise.all(exits);
      await cgroup?.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function start(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Child> {
  try {
    return await startChild({ argv, cwd, env });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    if (!existsSync(cwd)) {
      const message = `The folder ${cwd}, in which commands are to start, does not exist. Make it, or give another: terminal.cwd, or --cwd where a command has it.`;
      throw new HermesError('SANDBOX_CWD_MISSING', message, { details: { cwd }, cause: error });
    }
    const message = `${argv[0]} could not be started: the program does not exist.`;
    throw new HermesError('SANDBOX_PROGRAM_MISSING', message, {
      details: { program: argv[0], cwd },
      cause: error,
    });
  }
}

function gone(ref: SandboxRef, cause?: unknown): HermesError {
  return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} does not exist any more.`, {
    details: { ref },
    cause,
  });
}
