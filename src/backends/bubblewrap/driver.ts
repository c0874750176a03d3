// The driver behind the backend: makes sandboxes, finds them again, and says why it cannot.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Abortable } from '../../base/abortable.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type {
  AttachOptions,
  DriverContext,
  Inspection,
  Limits,
  Problem,
  Sandbox,
  SandboxRef,
  SandboxSpec,
} from '../backend.ts';
import { withoutUnlimited } from '../limits.ts';
import type { section as terminal } from '../settings.ts';
import { findBwrap, isOlder, OLDEST } from './bwrap-program.ts';
import { planCgroups } from './cgroups.ts';
import { enforcementOf } from './enforcement.ts';
import { WORKSPACE } from './environment.ts';
import { explained, noBash, noNetwork, notCreated, problemsOf } from './failures.ts';
import {
  foldersBelow,
  isName,
  isWhole,
  type Label,
  makeFolder,
  nameOf,
  readLabel,
  saveLabel,
  topFolder,
} from './folder.ts';
import { gatewayUser, sandboxUser } from './host-user.ts';
import { LaunchFailed } from './instance.ts';
import { Life } from './life.ts';
import { findProgram, inspectMachine, type Machine, unavailable } from './machine.ts';
import { checkMounts } from './mounts.ts';
import { NETWORK_PROGRAM, NetworkFailed } from './network.ts';
import { bubblewrapSandbox } from './sandbox.ts';
import type { section as bubblewrap } from './settings.ts';
import { hasBash } from './system.ts';

export type BubblewrapSettings = SettingsReader<
  (typeof terminal)['settings'] & (typeof bubblewrap)['settings']
>;

/** What every sandbox is promised. */
const PROCESSES = 256;
const MOST_LAUNCHES = 3;
/** What bwrap says then; the error number behind it is a leftover of something else. */
const LOOPBACK_MISREAD = /^bwrap: loopback: Failed RTM_NEW/m;
const TRY_BY_HAND =
  'Run `bwrap --unshare-all --ro-bind / / true` as an ordinary user and see what it waits for';
const NO_NETWORK_FIX = `Install it, on Debian and Ubuntu with: apt-get install ${NETWORK_PROGRAM}. Or use the network none`;

export class Driver {
  readonly #settings: BubblewrapSettings;
  readonly #context: DriverContext;
  readonly #lives = new Map<string, Life>();
  #machine: Machine | undefined;

  constructor(settings: BubblewrapSettings, context: DriverContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /** Makes a real sandbox and removes it. */
  async check({ signal }: Abortable = {}): Promise<readonly Problem[]> {
    const spec: SandboxSpec = {
      ...{
        id: `check-${newId()}`,
        installation: 'check',
        limits: {},
        mounts: [],
        env: {},
        persistent: false,
      },
    };
    try {
      const sandbox = await this.create(spec, signal ? { signal } : {});
      await sandbox.destroy();
      return [];
    } catch (error) {
      return problemsOf(error);
    }
  }

  async version(): Promise<string | undefined> {
    return (await findBwrap(this.#inspect().path))?.version;
  }

  async inspect(): Promise<Inspection> {
    const machine = this.#inspect();
    const version = (await findBwrap(machine.path))?.version;
    const names = ['bubblewrap', ...(machine.isSetuid ? ['setuid bubblewrap'] : [])];
    const held = new Set(Object.keys(machine.cgroups.parents));
    return {
      programs: version === undefined ? [] : names.map(name => ({ name, version })),
      limits: enforcementOf(this.#limitsOf({}), held, machine),
      refusesSetId: true,
    };
  }

  async create(spec: SandboxSpec, { signal }: Abortable = {}): Promise<Sandbox> {
    signal?.throwIfAborted();
    const machine = this.#inspect();
    const label = await this.#labelOf(spec, machine);
    const folder = this.#folderOf(label.ref);
    if (existsSync(folder)) throw notCreated(`there is one with the id ${spec.id} already`, 'Use another id');
    const life = this.#newLife(folder, label, true);
    try {
      makeFolder(folder, label);
      await Promise.all([saveLabel(folder), this.#start(life, machine, signal)]);
    } catch (error) {
      await life.destroy();
      throw error;
    }
    return this.#sandbox(life, spec.env);
  }

  async attach(ref: SandboxRef, { signal, env = {} }: AttachOptions = {}): Promise<Sandbox> {
    const folder = this.#folderOf(ref);
    const label = isName(ref.name) ? await readLabel(folder) : undefined;
    if (!label)
      throw new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} does not exist any more.`, {
        details: { ref },
      });
    const life = this.#lives.get(ref.name) ?? this.#newLife(folder, label, false);
    if (!isWhole(folder)) {
      await life.destroy();
      throw life.gone();
    }
    if (!life.isRunning) await this.#start(life, this.#inspect(), signal);
    return this.#sandbox(life, env);
  }

  /** Without starting it first: what is half made or half removed could not be. */
  async destroy(ref: SandboxRef): Promise<void> {
    const folder = this.#folderOf(ref);
    const label = isName(ref.name) ? await readLabel(folder) : undefined;
    if (label?.ref.id !== ref.id || label.ref.installation !== ref.installation) return;
    await (this.#lives.get(ref.name) ?? this.#newLife(folder, label, false)).destroy();
  }

  async *list(installation: string): AsyncIterable<SandboxRef> {
    for (const folder of await foldersBelow(this.#top)) {
      const label = await readLabel(folder);
      if (label?.ref.installation === installation) yield label.ref;
    }
  }

  /** Processes of a sandbox belong to its gateway, so they end with the driver; folders stay. */
  async close(): Promise<void> {
    await Promise.all([...this.#lives.values()].map(life => life.stop()));
    this.#lives.clear();
  }

  /**
   * A failed launch is looked into: is the program too old for a flag, and if not, what forbids it? When many start at once,
   * bwrap now and then misreads the kernel's answer about the loopback device and gives up; nothing ran, so it is started
   * again a few times.
   */
  async #start(
    life: Life,
    machine: Machine,
    signal: AbortSignal | undefined,
    launches = MOST_LAUNCHES,
  ): Promise<void> {
    const options = signal ? { signal } : {};
    try {
      await life.start(machine, options);
    } catch (error) {
      if (error instanceof LaunchFailed && launches > 1 && LOOPBACK_MISREAD.test(error.stderr))
        return this.#start(life, machine, signal, launches - 1);
      if (error instanceof NetworkFailed) throw noNetwork(error);
      if (!(error instanceof LaunchFailed)) throw error;
      if (!hasBash(machine.root)) throw noBash(life.label.ref, machine.root, error);
      if (error.isLate) throw unavailable('bwrap did not answer in time', TRY_BY_HAND, { cause: error });
      const program = await findBwrap(machine.path);
      if (program && isOlder(program.version, OLDEST))
        throw unavailable(`bwrap is ${program.version}, and ${OLDEST} is needed`, 'Install a newer one', {
          cause: error,
        });
      const isKnown = program !== undefined && !program.flags.has('--disable-userns');
      if (!machine.disablesUserns || !isKnown) throw await explained(error, life.label, machine);
      // The system call filter forbids the same; this flag is a second lock.
      const older = { ...machine, disablesUserns: false };
      this.#machine = older;
      await this.#start(life, older, signal);
    }
  }

  get #top(): string {
    return topFolder(this.#context.home, process.getuid?.() === 0);
  }

  #folderOf(ref: SandboxRef): string {
    return join(this.#top, ref.name);
  }

  #newLife(folder: string, label: Label, isNew: boolean): Life {
    const { name } = label.ref;
    const onDestroyed = (life: Life) => {
      if (this.#lives.get(name) === life) this.#lives.delete(name);
    };
    return new Life({ folder, label, clock: this.#context.clock, isNew, onDestroyed });
  }

  #sandbox(life: Life, env: Readonly<Record<string, string>>): Sandbox {
    this.#lives.set(life.label.ref.name, life);
    return bubblewrapSandbox(life, env, async ({ signal } = {}) => {
      if (life.isDestroyed) throw life.gone();
      if (!life.isRunning) await this.#start(life, this.#inspect(), signal);
    });
  }

  /** Once; a failure may be mended meanwhile. */
  #inspect(): Machine {
    const root = this.#settings.get('terminal.bubblewrap_root');
    this.#machine ??= inspectMachine(this.#context.environment['PATH'], root);
    return this.#machine;
  }

  /** What the settings promise of every sandbox, unless more or less is asked for. */
  #limitsOf({ limits }: Pick<Partial<SandboxSpec>, 'limits'>): Limits {
    return withoutUnlimited({
      cpus: this.#settings.get('terminal.container_cpu'),
      memoryMiB: this.#settings.get('terminal.container_memory'),
      diskMiB: this.#settings.get('terminal.container_disk'),
      processes: PROCESSES,
      ...limits,
    });
  }

  async #labelOf(spec: SandboxSpec, machine: Machine): Promise<Label> {
    const { id, installation, session, network = 'none', cwd } = spec;
    const limits = this.#limitsOf(spec);
    const name = nameOf(id);
    if (!isName(name))
      throw notCreated(`its id ${id} cannot be the name of a folder`, 'Use letters and digits');
    if (spec.image !== undefined)
      throw notCreated(
        'this backend takes no images',
        'Set terminal.bubblewrap_root to an unpacked root folder',
      );
    if (network === 'open' && findProgram(NETWORK_PROGRAM, machine.path) === undefined)
      throw unavailable(`an open network needs ${NETWORK_PROGRAM}, which is not installed`, NO_NETWORK_FIX);
    const mounts = await checkMounts(spec.mounts, {
      hermesHome: this.#context.home,
      userHome: this.#context.environment['HOME'],
    });
    const user = machine.asRoot ? sandboxUser(id, mounts) : gatewayUser();
    return {
      ref: { backend: 'bubblewrap', id, name, installation, ...(session === undefined ? {} : { session }) },
      ...{ ...user, limits, network, mounts },
      cgroups: planCgroups(machine.cgroups, name, limits).map(({ folder }) => folder),
      workdir: cwd ?? this.#settings.get('terminal.cwd') ?? WORKSPACE,
    };
  }
}
