// One sandbox of the Daytona double: its record as the API shows it, its way through the states, and the machine behind it.
// Changes are asynchronous, as in the service (daytonaio/daytona, apps/api/src/sandbox/services/sandbox.service.ts and
// managers/sandbox.manager.ts): a call only notes what is wanted. The record still has the old state at the next look, then
// the state on the way, and refuses other changes until it is through.
import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../../src/base/clock.ts';
import { type CloudMachine, type CloudMachineOptions, openCloudMachine } from './cloud-machine.ts';
import { DaytonaPtys } from './daytona-pty.ts';

export interface BoxRequest {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buildInfo?: { readonly dockerfileContent: string };
  readonly snapshot?: string;
  readonly [field: string]: unknown;
}

export interface BoxOptions {
  readonly request: BoxRequest;
  readonly toolboxProxyUrl: string;
  readonly latencyMs: () => number;
  readonly clock: Clock;
}

export type Change = 'start' | 'stop' | 'archive' | 'recover' | 'delete';

/** What an image without bash has, in the names of programs; its own name says that it is one. */
const PROGRAMS = 'cat mkdir mkfifo rm stty dd ls chmod tr grep mv true base64'.split(' ');
const MINUTE_MS = 60_000;

export class DaytonaBox {
  readonly id = randomUUID();
  readonly name: string;
  readonly request: BoxRequest;
  state = 'creating';
  errorReason: string | undefined;
  recoverable = false;
  /** How often its auto-stop was put off. */
  touched = 0;
  readonly #options: BoxOptions;
  #machine: CloudMachine | undefined;
  #ptys: DaytonaPtys | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** What the next looks see instead of the state. */
  #shown: string[] = [];
  #timers: Timer[] = [];

  constructor(options: BoxOptions) {
    this.#options = options;
    this.request = options.request;
    this.name = options.request.name ?? this.id;
  }

  get ptys(): DaytonaPtys | undefined {
    return this.state === 'started' ? this.#ptys : undefined;
  }

  get machine(): CloudMachine | undefined {
    return this.#machine;
  }

  /** Nothing of it is left, whatever looks still see. */
  get isGone(): boolean {
    return this.state === 'destroyed';
  }

  /** Its name is free as soon as its end is wanted. */
  get isEnding(): boolean {
    return this.isGone || this.state === 'destroying';
  }

  /** As the API shows it to this look; undefined when there is nothing to see any more. */
  look(): Readonly<Record<string, unknown>> | undefined {
    const state = this.#shown.shift();
    return state === undefined && this.isGone ? undefined : this.record(state);
  }

  record(state = this.#shown[0] ?? this.state): Readonly<Record<string, unknown>> {
    const { labels = {}, env = {}, ...rest } = this.request;
    return {
      ...{ organizationId: 'organisation', public: false, target: 'eu', cpu: 1, gpu: 0, memory: 1, disk: 3 },
      ...{ user: this.request.snapshot === undefined ? 'root' : 'daytona', networkBlockAll: false },
      ...{ ...rest, labels, env },
      ...{ id: this.id, name: this.name, state, toolboxProxyUrl: this.#options.toolboxProxyUrl },
      ...(state === 'error' ? { errorReason: this.errorReason, recoverable: this.recoverable } : {}),
    };
  }

  make(): void {
    const before = this.request.buildInfo ? ['pending_build', 'building_snapshot'] : ['creating'];
    this.#shown = [...before, 'starting'];
    this.#move('creating', 'started', async () => {
      const image = this.request.buildInfo?.dockerfileContent ?? '';
      const hasBash = !image.includes('without-bash');
      const machine = await openCloudMachine(this.#machineOptions(hasBash));
      this.#machine = machine;
      const { latencyMs } = this.#options;
      // Not every sh has login shells.
      const shell = hasBash ? (['bash', '-i', '-l'] as const) : (['sh', '-i'] as const);
      this.#ptys = new DaytonaPtys(machine, { shell, latencyMs });
    });
    this.touch();
  }

  /** A call of the API; false = refused because of its state. */
  change(change: Change): boolean {
    if (this.#shown.length > 0 || this.state.endsWith('ing')) return false;
    const before = this.state;
    const isDone = this[change]();
    if (isDone) this.#shown = [before, this.state];
    return isDone;
  }

  start(): boolean {
    if (!['stopped', 'archived'].includes(this.state)) return false;
    this.#move('starting', 'started', async () => this.#machine?.start());
    this.touch();
    return true;
  }

  /** What was made to be thrown away is, when it stops. */
  stop(): boolean {
    if (this.state !== 'started') return false;
    this.#move('stopping', 'stopped', () => this.#stopMachine());
    if (this.request['autoDeleteInterval'] === 0) return this.delete();
    this.#arm([
      ['autoArchiveInterval', () => this.archive()],
      ['autoDeleteInterval', () => this.delete()],
    ]);
    return true;
  }

  archive(): boolean {
    if (this.state !== 'stopped') return false;
    this.#move('archiving', 'archived', async () => undefined);
    return true;
  }

  recover(): boolean {
    if (this.state !== 'error' || !this.recoverable) return false;
    this.#move('starting', 'started', async () => this.#machine?.start());
    this.touch();
    return true;
  }

  fail(reason: string, options: { recoverable?: boolean } = {}): void {
    this.state = 'error';
    this.errorReason = reason;
    this.recoverable = options.recoverable ?? false;
  }

  delete(): boolean {
    this.#arm([]);
    this.#move('destroying', 'destroyed', async () => {
      this.#ptys?.endAll();
      await this.#machine?.destroy();
    });
    return true;
  }

  /** Something was asked of it: its auto-stop begins again. */
  touch(): void {
    this.#arm([['autoStopInterval', () => this.stop()]]);
  }

  /** When its last change is through. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  /**
   * The service's own snapshots run as a user who is not root but may use sudo (images/sandbox/Dockerfile: `USER daytona`,
   * `NOPASSWD:ALL`); those of others may have no sudo.
   */
  #machineOptions(hasBash: boolean): CloudMachineOptions {
    const { snapshot } = this.request;
    const programs = hasBash ? {} : { programs: PROGRAMS };
    if (snapshot === undefined) return programs;
    return { ...programs, user: 'daytona', rights: snapshot.includes('no-sudo') ? 'user' : 'sudoer' };
  }

  async #stopMachine(): Promise<void> {
    this.#ptys?.endAll();
    await this.#machine?.stop();
  }

  /** Instead of what was to happen before. Intervals are minutes; 0 = never. */
  #arm(due: readonly (readonly [interval: string, fire: () => void])[]): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers = due.flatMap(([name, fire]) => {
      const minutes = Number(this.request[name] ?? 0);
      return minutes > 0 ? [this.#options.clock.after(minutes * MINUTE_MS, fire)] : [];
    });
  }

  /** One change after the other; what looks meanwhile sees that it is under way. */
  #move(during: string, after: string, work: () => Promise<unknown>): void {
    this.state = during;
    this.#turn = this.#turn.then(async () => {
      await work();
      if (this.state === during) this.state = after;
    });
  }
}
