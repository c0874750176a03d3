// Drivers that are broken on purpose, each in one way that real ones have been: the suite must tell exactly which
// requirements each of them fails.
import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path/posix';
import type { Backend, Sandbox, SandboxProcess, SandboxRef, SandboxSpec } from '../../src/index.ts';
import type { Ground } from './column.ts';
import type { Family, RequirementId } from './requirements.ts';

export interface BrokenDriver {
  /** Ends the sentence "a driver that …". */
  readonly name: string;
  /** Spoils a backend that works. */
  spoil(backend: Backend, ground: Ground): Backend;
  /** The families that are run against it, and what fails of them, in the order of the manifest. */
  readonly families: readonly Family[];
  /** What is not run because it would take too long to fail. */
  readonly leftOut?: readonly RequirementId[];
  readonly fails: readonly RequirementId[];
}

type Listener = Parameters<SandboxProcess['onOutput']>[0];

/** The same backend with every sandbox changed, whether new or found again. */
function withSandbox(
  change: (sandbox: Sandbox, spec?: SandboxSpec) => Sandbox,
): (backend: Backend) => Backend {
  return backend => ({
    ...backend,
    create: async (spec, options) => change(await backend.create(spec, options), spec),
    attach: async (ref, options) => change(await backend.attach(ref, options)),
  });
}

/** The same with every process changed. */
function withProcess(change: (process: SandboxProcess) => SandboxProcess): (backend: Backend) => Backend {
  return withSandbox(sandbox => ({
    ...sandbox,
    spawn: async (argv, options) => change(await sandbox.spawn(argv, options)),
  }));
}

/** The same with output changed on its way. A fresh `change` for each process. */
function withOutput(makeChange: () => (listener: Listener) => Listener): (backend: Backend) => Backend {
  return withProcess(process => {
    const change = makeChange();
    return { ...process, onOutput: listener => process.onOutput(change(listener)) };
  });
}

/**
 * Where the channel's own message begins in a piece of output, -1 if there is none. A driver that broke those too would
 * fail everything.
 */
function markIn(data: Uint8Array): number {
  return Buffer.from(data)
    .toString('latin1')
    .search(/\x1e[0-9a-f]{32}/);
}

const processDrivers: readonly BrokenDriver[] = [
  {
    name: 'reports exit 0 always',
    spoil: withProcess(process => ({ ...process, exit: process.exit.then(() => ({ code: 0 })) })),
    families: ['spawn', 'exit', 'signal'],
    // Commands are not misled: the channel tells their exit itself.
    fails: ['spawn.exit', 'spawn.signal'],
  },
  {
    name: 'never ends the input',
    spoil: withProcess(process => ({ ...process, end: () => undefined })),
    families: ['spawn', 'stdin', 'crash'],
    fails: ['spawn.eof', 'spawn.bytes', 'crash.ends'],
  },
  {
    name: 'kills nothing',
    spoil: withProcess(process => ({ ...process, kill: () => undefined })),
    families: ['spawn'],
    fails: ['spawn.kill'],
  },
  {
    name: 'loses the eighth bit of what it writes',
    spoil: withProcess(process => ({
      ...process,
      write: data => process.write(data.map(byte => byte & 0x7f)),
    })),
    families: ['spawn', 'stdin', 'script'],
    fails: ['spawn.bytes', 'stdin.megabytes', 'script.unicode'],
  },
  {
    name: 'drops output after 64 KiB',
    spoil: withOutput(() => {
      let passed = 0;
      return listener => (stream, data) => {
        passed += data.length;
        if (passed <= 65_536) return listener(stream, data);
        const mark = markIn(data);
        return mark === -1 ? undefined : listener(stream, data.subarray(mark));
      };
    }),
    families: ['spawn', 'output'],
    leftOut: ['output.bulk'],
    fails: ['spawn.bytes', 'output.megabytes', 'output.slow'],
  },
  {
    name: 'merges stderr into stdout',
    spoil: withOutput(() => listener => (stream, data) => {
      if (stream === 'stdout') return listener('stdout', data);
      const mark = markIn(data);
      const end = mark === -1 ? data.length : mark;
      if (end > 0) listener('stdout', data.subarray(0, end));
      return mark === -1 ? undefined : listener('stderr', data.subarray(mark));
    }),
    // What else fails depends on which stream the gateway happens to read first.
    families: ['spawn'],
    fails: ['spawn.apart'],
  },
  {
    name: 'translates newlines, as a terminal does',
    spoil: withOutput(() => listener => (stream, data) => {
      const text = Buffer.from(data).toString('latin1').replaceAll('\n', '\r\n');
      listener(stream, Buffer.from(text, 'latin1'));
    }),
    families: ['exit', 'stdin'],
    fails: ['exit.codes', 'exit.above-128', 'stdin.eof', 'stdin.none', 'stdin.unread'],
  },
  {
    name: 'holds output back until the end',
    spoil: withOutput(() => {
      let held: [Parameters<Listener>[0], Uint8Array][] = [];
      return listener => (stream, data) => {
        held.push([stream, data]);
        if (markIn(data) === -1) return;
        for (const piece of held) listener(...piece);
        held = [];
      };
    }),
    families: ['exit', 'output'],
    leftOut: ['output.bulk'],
    fails: ['output.slow', 'output.streams'],
  },
];

const sandboxDrivers: readonly BrokenDriver[] = [
  {
    name: 'leaks the gateway’s environment',
    // `env` gives way to the program, so that the value is in no argument list.
    spoil: (backend, { plantedSecret }) =>
      withSandbox(sandbox => ({
        ...sandbox,
        spawn: (argv, options) => sandbox.spawn(['env', `PLANTED=${plantedSecret}`, ...argv], options),
      }))(backend),
    families: ['env', 'exit'],
    fails: ['env.planted'],
  },
  {
    name: 'hands variables over in arguments',
    spoil: withSandbox((sandbox, spec) => ({
      ...sandbox,
      spawn: (argv, options) => {
        const values = Object.entries(spec?.env ?? {}).map(([name, value]) => `${name}=${value}`);
        return sandbox.spawn([...argv, ...values], options);
      },
    })),
    families: ['env'],
    fails: ['env.arguments'],
  },
  {
    name: 'forgets the variables of the spec',
    spoil: withSandbox(sandbox => ({ ...sandbox, env: {} })),
    families: ['env', 'cwd'],
    fails: ['env.spec'],
  },
  {
    name: 'starts somewhere else than it says',
    spoil: withSandbox(sandbox => ({ ...sandbox, workdir: dirname(sandbox.workdir) })),
    families: ['spawn', 'cwd'],
    fails: ['spawn.start', 'cwd.configured', 'cwd.call', 'cwd.relative', 'cwd.missing'],
  },
  {
    name: 'makes the channel’s folder for everybody',
    spoil: backend => ({
      ...backend,
      create: async (spec, options) => {
        const sandbox = await backend.create(spec, options);
        await mkdir(sandbox.channelDir, { recursive: true });
        await chmod(sandbox.channelDir, 0o755);
        return sandbox;
      },
    }),
    families: ['life'],
    fails: ['life.private'],
  },
  {
    name: 'destroys nothing and says that it did',
    spoil: withSandbox(sandbox => ({ ...sandbox, destroy: async () => undefined })),
    families: ['life'],
    fails: [
      // What still runs then, the channel itself ends.
      ...(['life.list', 'life.destroy', 'life.dispose', 'life.attach-gone'] as const),
    ],
  },
  {
    name: 'cannot be destroyed twice',
    spoil: withSandbox(sandbox => {
      let isDestroyed = false;
      return {
        ...sandbox,
        destroy: async options => {
          if (isDestroyed) throw new Error('there is nothing to destroy');
          isDestroyed = true;
          await sandbox.destroy(options);
        },
      };
    }),
    families: ['life'],
    fails: ['life.destroy-twice'],
  },
];

const backendDrivers: readonly BrokenDriver[] = [
  {
    name: 'attaches to what is gone',
    spoil: backend => ({
      ...backend,
      attach: async (ref, options) => {
        const refs: SandboxRef[] = [];
        for await (const each of backend.list(ref.installation)) refs.push(each);
        if (refs.some(({ id }) => id === ref.id)) return backend.attach(ref, options);
        const spec = { limits: {}, mounts: [], env: {}, persistent: false };
        return backend.create({ ...spec, id: `${ref.id}x`, installation: ref.installation }, options);
      },
    }),
    families: ['life'],
    fails: ['life.attach-gone', 'life.outside'],
  },
  {
    name: 'finds a sandbox again and not its channel',
    spoil: backend => ({
      ...backend,
      attach: async (ref, options) => {
        const sandbox = await backend.attach(ref, options);
        return { ...sandbox, channelDir: `${sandbox.channelDir}-2` };
      },
    }),
    families: ['crash'],
    fails: ['crash.found'],
  },
  {
    name: 'lists nothing',
    spoil: backend => ({ ...backend, list: async function* () {} }),
    families: ['life'],
    fails: ['life.list'],
  },
  {
    name: 'lists the sandboxes of other installations too',
    spoil: backend => ({
      ...backend,
      async *list(installation) {
        yield* backend.list(installation);
        yield* backend.list(`${installation}-other`);
      },
    }),
    families: ['life'],
    fails: ['life.list'],
  },
  {
    name: 'claims what it cannot do',
    spoil: backend => ({ ...backend, capabilities: { ...backend.capabilities, snapshot: true } }),
    families: ['life'],
    fails: ['life.capabilities'],
  },
  {
    name: 'gives a name of its own for what is missing',
    spoil: withSandbox(sandbox => ({
      ...sandbox,
      spawn: async (argv, options) => {
        try {
          return await sandbox.spawn(argv, options);
        } catch (error) {
          throw new Error('engine says no', { cause: error });
        }
      },
    })),
    families: ['spawn'],
    fails: ['spawn.no-program', 'spawn.gone'],
  },
];

export const brokenDrivers: readonly BrokenDriver[] = [
  ...processDrivers,
  ...sandboxDrivers,
  ...backendDrivers,
];
