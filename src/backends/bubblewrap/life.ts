// A sandbox over its lives: the folder stays, the namespaces are made, ended and made again. All handles to one
// sandbox in this process share one Life.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import type { Abortable, Enforcement, SandboxProcess } from '../backend.ts';
import { bwrapArguments, IO_DIR } from './arguments.ts';
import { type CgroupPlan, makeCgroups, oomCountOf, planCgroups, removeCgroups } from './cgroups.ts';
import { enforcementOf, starterLimits } from './enforcement.ts';
import { freshen, type Label, readLabel, removeFolder, writeLabel } from './folder.ts';
import { endHostProcess, type HostProcess } from './host-process.ts';
import { BLOCK_FD, INFO_FD, type Instance, launch, SECCOMP_FD, starterCommand } from './instance.ts';
import { type Command, launchCommand, reachableMounts, reachableSystem } from './launch.ts';
import type { Machine } from './machine.ts';

/** Which processes of the host carry the sandbox; for whoever takes it over or removes it. */
const RUNNING = 'running.json';

export interface LifeOptions {
  readonly folder: string;
  readonly label: Label;
  readonly clock: Clock;
}

export class Life {
  readonly folder: string;
  label: Label;
  enforcement: Enforcement = { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' };
  readonly #clock: Clock;
  #machine: Machine | undefined;
  #instance: Instance | undefined;
  #destroyed: Promise<void> | undefined;

  constructor({ folder, label, clock }: LifeOptions) {
    this.folder = folder;
    this.label = label;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#instance !== undefined;
  }

  /** Makes the namespaces; processes of an earlier life, also of another gateway, are ended before. Throws LaunchFailed. */
  async start(machine: Machine, { signal }: Abortable = {}): Promise<void> {
    await this.#endEarlier();
    const { limits, ref } = this.label;
    const plans = planCgroups(machine.cgroups, ref.name, limits);
    this.#own(plans.map(({ folder }) => folder));
    const [made] = await Promise.all([makeCgroups(plans), freshen(this.folder, this.label)]);
    const held = new Set(made.flatMap(({ controllers }) => controllers));
    this.enforcement = enforcementOf(limits, held, machine);
    const instance = await launch({
      command: this.#command(machine, made, starterLimits(limits, held)),
      path: machine.path,
      seccomp: machine.seccomp,
      ioDir: join(this.folder, 'io'),
      clock: this.#clock,
      ...(signal ? { signal } : {}),
    });
    writeFileSync(join(this.folder, RUNNING), JSON.stringify(instance.processes), { mode: 0o600 });
    this.#machine = machine;
    this.#instance = instance;
    void instance.ended.then(() => {
      if (this.#instance === instance) this.#instance = undefined;
    });
  }

  /** Again, as it was started last. */
  async resume(options?: Abortable): Promise<void> {
    if (this.#destroyed || !this.#machine) throw this.gone();
    if (!this.#instance) await this.start(this.#machine, options);
  }

  #command(machine: Machine, made: readonly CgroupPlan[], limits: readonly string[]): Command {
    const { uid, gid, mounts, ref, workdir } = this.label;
    const { asRoot, root, isSetuid } = machine;
    const launched = {
      ...{ folder: this.folder, mounts, uid, gid, asRoot, root, isSetuid },
      join: made.map(({ folder }) => join(folder, 'cgroup.procs')),
    };
    const oomCount = oomCountOf(machine.cgroups, made);
    return launchCommand(launched, joins =>
      bwrapArguments({
        ...{ folder: this.folder, workdir, hostname: ref.name, hidden: machine.hidden },
        system: reachableSystem(launched, machine.system),
        mounts: reachableMounts(launched),
        ...(oomCount ? { oomCount } : {}),
        disablesUserns: machine.disablesUserns,
        fds: { seccomp: SECCOMP_FD, info: INFO_FD, ...(joins ? { block: BLOCK_FD } : {}) },
        command: starterCommand(IO_DIR, limits),
      }),
    );
  }

  async spawn(argv: readonly [string, ...string[]]): Promise<SandboxProcess> {
    if (!this.#instance || this.#destroyed) throw this.gone();
    return this.#instance.starter.spawn(argv);
  }

  /** Ends all processes; the folder stays. */
  async stop(): Promise<void> {
    await this.#instance?.end();
    await this.#endEarlier();
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroy();
    return this.#destroyed;
  }

  gone(): HermesError {
    const { ref } = this.label;
    return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} does not exist any more.`, {
      details: { ref },
    });
  }

  async #destroy(): Promise<void> {
    await this.stop();
    await removeFolder(this.folder);
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

  async #readRunning(): Promise<readonly HostProcess[]> {
    try {
      return JSON.parse(await readFile(join(this.folder, RUNNING), 'utf8')) as HostProcess[]; // our own file
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT' || error instanceof SyntaxError) return [];
      throw error;
    }
  }
}
