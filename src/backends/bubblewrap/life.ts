// A sandbox over its lives: the folder stays, the namespaces are made, ended and made again. All handles to one
// sandbox in this process share one Life.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable } from '../../base/abortable.ts';
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import type { Enforcement, SandboxProcess } from '../backend.ts';
import { joiningOf, makeCgroups, planCgroups, removeCgroups } from './cgroups.ts';
import { sandboxCommand } from './command.ts';
import { measureDisk } from './disk-usage.ts';
import { DiskWatch } from './disk-watch.ts';
import { enforcementOf } from './enforcement.ts';
import {
  diskFolders,
  freshen,
  ioFolder,
  type Label,
  makePlaces,
  readLabel,
  removeFolder,
  writeLabel,
} from './folder.ts';
import { endHostProcess, type HostProcess, hostProcessesWith } from './host-process.ts';
import { type Instance, launch } from './instance.ts';
import type { Machine } from './machine.ts';

/** Which processes of the host carry the sandbox; for whoever takes it over or removes it. */
const RUNNING = 'running.json';

export interface LifeOptions {
  readonly folder: string;
  readonly label: Label;
  readonly clock: Clock;
  /** Whether it is made now, so that nothing of an earlier life can be there. */
  readonly isNew: boolean;
  /** Called once its folder is gone. */
  readonly onDestroyed: (life: Life) => void;
}

export class Life {
  readonly folder: string;
  label: Label;
  enforcement: Enforcement = { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' };
  readonly #clock: Clock;
  readonly #onDestroyed: (life: Life) => void;
  #instance: Instance | undefined;
  #destroyed: Promise<void> | undefined;
  #hasEarlier: boolean;
  #watch: DiskWatch | undefined;
  /** Why its processes were ended by us, if it was for what they did. */
  #ended: string | undefined;

  constructor({ folder, label, clock, isNew, onDestroyed }: LifeOptions) {
    this.#onDestroyed = onDestroyed;
    this.#hasEarlier = !isNew;
    this.folder = folder;
    this.label = label;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#instance !== undefined && this.#ended === undefined;
  }

  /** Makes the namespaces; processes of an earlier life, also of another gateway, are ended before. Throws LaunchFailed. */
  async start(machine: Machine, { signal }: Abortable = {}): Promise<void> {
    const isEmpty = !this.#hasEarlier;
    if (this.#hasEarlier) await this.#endEarlier();
    this.#hasEarlier = true;
    this.#ended = undefined;
    const { limits, ref, uid, gid, network, mounts } = this.label;
    const plans = planCgroups(machine.cgroups, ref.name, limits);
    this.#own(plans.map(({ folder }) => folder));
    const made = makeCgroups(plans);
    await freshen(this.folder, this.label);
    if (machine.asRoot && (mounts.length > 0 || machine.root !== undefined)) makePlaces(this.folder, mounts);
    const held = new Set(made.flatMap(({ controllers }) => controllers));
    this.enforcement = enforcementOf(limits, held, machine);
    const instance = await launch({
      command: sandboxCommand({ folder: this.folder, label: this.label, machine, made, held }),
      groups: joiningOf(machine.cgroups, made).inside,
      network,
      ...(machine.asRoot ? { user: { uid, gid } } : {}),
      path: machine.path,
      seccomp: mounts.every(({ readOnly }) => readOnly)
        ? machine.seccomp.usual
        : machine.seccomp.withoutSetId,
      ioDir: ioFolder(this.folder),
      clock: this.#clock,
      ...(signal ? { signal } : {}),
    });
    writeFileSync(join(this.folder, RUNNING), JSON.stringify(instance.processes), { mode: 0o600 });
    this.#instance = instance;
    const watch = this.#watchDisk(instance, machine);
    void instance.ended.then(() => {
      watch?.stop();
      if (this.#instance === instance) this.#instance = undefined;
    });
    watch?.start({ isEmpty });
  }

  /** Where its disk is limited. One that takes more loses its processes; its files stay, and it can be started again. */
  #watchDisk(instance: Instance, { measuresDisk, path }: Machine): DiskWatch | undefined {
    const { diskMiB } = this.label.limits;
    if (diskMiB === undefined || !measuresDisk) return undefined;
    const folders = diskFolders(this.folder);
    const first = instance.processes.at(-1)?.pid;
    this.#watch = new DiskWatch({
      folder: this.folder,
      limitBytes: diskMiB * 1024 * 1024,
      measure: () => measureDisk({ folders, path, ...(first === undefined ? {} : { first }) }),
      onOver: reason => {
        this.#ended = reason;
        void instance.end(reason);
      },
      clock: this.#clock,
    });
    return this.#watch;
  }

  get isDestroyed(): boolean {
    return this.#destroyed !== undefined;
  }

  async spawn(argv: readonly [string, ...string[]]): Promise<SandboxProcess> {
    if (!this.#instance || !this.isRunning || this.#destroyed) throw this.gone();
    const process = await this.#instance.starter.spawn(argv);
    const watch = this.#watch;
    if (!watch) return process;
    return {
      ...process,
      write(data) {
        watch.wake();
        return process.write(data);
      },
    };
  }

  /** Ends all processes; the folder stays. */
  async stop(): Promise<void> {
    await this.#instance?.end();
    await this.#endEarlier();
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#tryDestroy();
    return this.#destroyed;
  }

  /** What failed can be tried again. */
  async #tryDestroy(): Promise<void> {
    try {
      await this.#destroy();
    } catch (error) {
      this.#destroyed = undefined;
      throw error;
    }
  }

  gone(): HermesError {
    const { ref } = this.label;
    const message =
      this.#ended === undefined
        ? `The sandbox ${ref.name} does not exist any more.`
        : `The processes of the sandbox ${ref.name} were ended: ${this.#ended}. Its files are there; attach to it and remove some.`;
    return new HermesError('SANDBOX_GONE', message, { details: { ref } });
  }

  async #destroy(): Promise<void> {
    this.#watch?.stop();
    await this.stop();
    await removeFolder(this.folder, this.label);
    this.#onDestroyed(this);
  }

  async #endEarlier(): Promise<void> {
    for (const each of await this.#readRunning()) await endHostProcess(each, this.#clock);
    // Another gateway may have had it meanwhile, in groups of its own.
    const label = (await readLabel(this.folder)) ?? this.label;
    await removeCgroups(label.cgroups, this.#clock);
  }

  /** Written down before they are made, so that they are found whatever happens. */
  #own(cgroups: readonly string[]): void {
    if (cgroups.join() === this.label.cgroups.join()) return;
    this.label = { ...this.label, cgroups };
    writeLabel(this.folder, this.label);
  }

  /** Where its making was cut off before they were written down, they are known by the sandbox's name. */
  async #readRunning(): Promise<readonly HostProcess[]> {
    try {
      return JSON.parse(await readFile(join(this.folder, RUNNING), 'utf8')) as HostProcess[]; // our own file
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
      return hostProcessesWith(this.label.ref.name);
    }
  }
}
