// One sandbox of the Daytona double: its record as the API shows it, its way through the states, and the machine behind it.
import { randomUUID } from 'node:crypto';
import { type CloudMachine, openCloudMachine } from './cloud-machine.ts';
import { DaytonaPtys } from './daytona-pty.ts';

export interface BoxRequest {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buildInfo?: { readonly dockerfileContent: string };
  readonly [field: string]: unknown;
}

export interface BoxOptions {
  readonly request: BoxRequest;
  readonly toolboxProxyUrl: string;
  readonly latencyMs: () => number;
  readonly onGone: () => void;
}

/** What an image without bash has, in the names of programs; its own name says that it is one. */
const PROGRAMS = 'cat mkdir mkfifo rm stty dd ls chmod tr grep mv true base64'.split(' ');

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

  /** As the API shows it. */
  record(): Readonly<Record<string, unknown>> {
    const { labels = {}, env = {}, ...rest } = this.request;
    return {
      ...{
        organizationId: 'organisation',
        user: 'user',
        public: false,
        target: 'eu',
        cpu: 1,
        gpu: 0,
        memory: 1,
        disk: 3,
      },
      ...{ networkBlockAll: false, ...rest, labels, env },
      ...{ id: this.id, name: this.name, state: this.state, toolboxProxyUrl: this.#options.toolboxProxyUrl },
      ...(this.errorReason === undefined
        ? {}
        : { errorReason: this.errorReason, recoverable: this.recoverable }),
    };
  }

  make(): void {
    this.#move('creating', 'started', async () => {
      const image = this.request.buildInfo?.dockerfileContent ?? '';
      const hasBash = !image.includes('without-bash');
      const machine = await openCloudMachine(hasBash ? {} : { programs: PROGRAMS });
      this.#machine = machine;
      const { latencyMs } = this.#options;
      // Not every sh has login shells.
      const shell = hasBash ? (['bash', '-i', '-l'] as const) : (['sh', '-i'] as const);
      this.#ptys = new DaytonaPtys(machine, { shell, latencyMs });
    });
  }

  /** False = refused because of its state. */
  start(): boolean {
    if (!['stopped', 'archived'].includes(this.state)) return false;
    this.#move('starting', 'started', async () => this.#machine?.start());
    return true;
  }

  /** What was made to be thrown away is, when it stops. */
  stop(): boolean {
    if (this.state !== 'started') return false;
    this.#move('stopping', 'stopped', () => this.#stopMachine());
    if (this.request['autoDeleteInterval'] === 0) this.delete();
    return true;
  }

  archive(): boolean {
    if (this.state !== 'stopped') return false;
    this.#move('archiving', 'archived', async () => undefined);
    return true;
  }

  recover(): boolean {
    if (this.state !== 'error' || !this.recoverable) return false;
    this.errorReason = undefined;
    this.#move('starting', 'started', async () => this.#machine?.start());
    return true;
  }

  fail(reason: string, options: { recoverable?: boolean } = {}): void {
    this.state = 'error';
    this.errorReason = reason;
    this.recoverable = options.recoverable ?? false;
  }

  delete(): void {
    this.#move('destroying', 'destroyed', async () => {
      this.#ptys?.endAll();
      await this.#machine?.destroy();
      this.#options.onGone();
    });
  }

  /** When its last change is through. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  async #stopMachine(): Promise<void> {
    this.#ptys?.endAll();
    await this.#machine?.stop();
  }

  /** One change after the other; whoever looks meanwhile sees that it is under way. */
  #move(during: string, after: string, work: () => Promise<unknown>): void {
    this.state = during;
    this.#turn = this.#turn.then(async () => {
      await work();
      if (this.state === during) this.state = after;
    });
  }
}
