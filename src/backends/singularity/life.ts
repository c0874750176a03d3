// A sandbox over its lives: the folder stays, the instance is started, stopped and started again. It outlives the gateway,
// so whether it runs is asked of the host each time, and not remembered.
import type { Abortable } from '../../base/abortable.ts';
import type { DriverContext, Enforcement, SandboxProcess } from '../backend.ts';
import { WORKSPACE } from './arguments.ts';
import { isThere } from './conversion.ts';
import { type Entrance, enter } from './entering.ts';
import { gone, notCreated } from './faults.ts';
import { isWhole, type Label, type Running, readRunning, removeFolder, writeFilter } from './folder.ts';
import { isAlive } from './host-process.ts';
import { type Experience, endInstance, startInstance } from './instance.ts';
import { enforcementOf } from './limits.ts';
import type { Program } from './program.ts';

export interface LifeOptions {
  readonly folder: string;
  readonly label: Label;
  readonly context: Pick<DriverContext, 'environment' | 'clock'>;
  /** The system call filter; undefined on processors that have none. */
  readonly filter: () => string | undefined;
  readonly experience: Experience;
  /** Throws UNAVAILABLE_BACKEND where it is not installed. */
  readonly program: () => Program;
  /** Called once its folder is gone. */
  readonly onDestroyed: () => void;
}

export class Life {
  readonly #options: LifeOptions;
  #running: Running | undefined;
  #destroyed: Promise<void> | undefined;
  /** Starting and stopping wait for each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  get enforcement(): Enforcement {
    return enforcementOf(this.#running?.held ?? [], this.#running?.countsProcesses ?? false);
  }

  /** Starts the instance, unless it runs. Throws UNAVAILABLE_BACKEND or SANDBOX_NOT_CREATED; then it does not run. */
  start({ signal }: Abortable = {}): Promise<void> {
    return this.#inTurn(async () => {
      const { label, folder, program, context, experience } = this.#options;
      if (this.#destroyed || !isWhole(folder)) throw gone(label.ref);
      if (await this.#current()) return;
      if (!isThere(label.image))
        throw notCreated(
          `its image ${label.image} is not there any more`,
          'Put it back, or destroy the sandbox',
        );
      await endInstance(label, this.#running, context.clock);
      // Each time: one that was made by an earlier version has an earlier filter.
      const filter = this.#options.filter();
      await writeFilter(folder, label, filter ?? '');
      const parts = { folder, label, context, experience, program: program() };
      const hasFilter = filter !== undefined;
      this.#running = await startInstance({ ...parts, hasFilter, ...(signal ? { signal } : {}) });
    });
  }

  async spawn(argv: readonly [string, ...string[]], { signal }: Abortable = {}): Promise<SandboxProcess> {
    return enter(await this.#entrance(), argv, signal);
  }

  /** Throws SANDBOX_NOT_CREATED when commands have nowhere to start. */
  async makeWorkdir(): Promise<void> {
    const { workdir } = this.#options.label;
    if (workdir === WORKSPACE) return;
    const make = ['sh', '-c', 'mkdir -p "$1" && [ -w "$1" ]', 'sh', workdir] as const;
    const made = await enter({ ...(await this.#entrance()), workdir: '/' }, make);
    const exit = await made.exit;
    if ('code' in exit && exit.code === 0) return;
    throw notCreated(
      `the folder ${workdir} can be neither made nor written in the sandbox`,
      'Change terminal.cwd',
    );
  }

  /** Ends all processes; the folder stays. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#inTurn(async () => {
      await this.#end();
      await removeFolder(this.#options.folder, this.#options.label);
      this.#options.onDestroyed();
    });
    return this.#destroyed;
  }

  async #end(): Promise<void> {
    const { label, folder, context } = this.#options;
    await endInstance(label, (await readRunning(folder, label)) ?? this.#running, context.clock);
    this.#running = undefined;
  }

  async #entrance(): Promise<Entrance> {
    const { label, folder, context, program } = this.#options;
    const running = this.#destroyed ? undefined : await this.#current();
    if (!running) throw gone(label.ref);
    const { ref, workdir, limits, uid } = label;
    return { program: program(), context, folder, ref, uid, workdir, running, processes: limits.processes };
  }

  /** Another gateway, or a command of the CLI, may have stopped and started it meanwhile. */
  async #current(): Promise<Running | undefined> {
    if (this.#running && isAlive(this.#running.first)) return this.#running;
    const { folder, label } = this.#options;
    const written = await readRunning(folder, label);
    this.#running = written && isAlive(written.first) ? written : undefined;
    return this.#running;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = Promise.allSettled([done]);
    return done;
  }
}
