// What a check works with: sandboxes of its own that are destroyed after it, waits with an end, and a hand on the clock.
import { randomBytes, randomInt } from 'node:crypto';
import {
  type Backend,
  type ExecOptions,
  type ExecResult,
  type Sandbox,
  SandboxHandle,
  type SandboxSpec,
} from '../../src/index.ts';
import { steeredClock } from '../fixtures/steered-clock.ts';
import { until, within } from '../wait.ts';
import type { Ground } from './column.ts';
import type { Mode } from './requirement.ts';

export interface TrialOptions {
  readonly ground: Ground;
  readonly mode: Mode;
  /** How long anything may take that should happen at once. */
  readonly patienceMs: number;
}

/** A sandbox of a check. */
export interface Box {
  readonly handle: SandboxHandle;
  /** The driver's own side of it. */
  readonly sandbox: Sandbox;
  /** In the mode that is being proved; ends after the trial's patience unless told otherwise. */
  run(command: string, options?: ExecOptions): Promise<ExecResult>;
  /** In the persistent shell, whatever is being proved. */
  keep(command: string, options?: ExecOptions): Promise<ExecResult>;
  /** Lets every time limit of `LONG_MS` pass, at once. */
  passTime(): void;
}

/** Whose connection it is, and what it ends of others. */
export interface Owned {
  readonly owner?: string;
  readonly endEarlier?: string;
}

/** A time limit that passes only when a check says so. */
export const LONG_MS = 3_600_000;
/** A check is not worth running where this is thrown; the message says why. */
export class NotProvable extends Error {
  override readonly name = 'NotProvable';
}

export class Trial {
  readonly ground: Ground;
  readonly mode: Mode;
  readonly patienceMs: number;
  readonly installation = `conformance-${randomBytes(6).toString('hex')}`;
  readonly #sandboxes: Sandbox[] = [];
  readonly #handles: SandboxHandle[] = [];

  constructor({ ground, mode, patienceMs }: TrialOptions) {
    this.ground = ground;
    this.mode = mode;
    this.patienceMs = patienceMs;
  }

  /** A new sandbox, as the driver makes it. */
  async create(spec: Partial<SandboxSpec> = {}, backend: Backend = this.ground.backend): Promise<Sandbox> {
    const sandbox = await backend.create({
      id: `c${randomBytes(8).toString('hex')}`,
      installation: this.installation,
      limits: {},
      mounts: [],
      env: {},
      persistent: false,
      ...(await this.ground.spec()),
      ...spec,
    });
    this.#sandboxes.push(sandbox);
    return sandbox;
  }

  /** A new sandbox that takes commands. */
  async open(spec: Partial<SandboxSpec> = {}, backend: Backend = this.ground.backend): Promise<Box> {
    return this.enter(await this.create(spec, backend));
  }

  /** Takes commands in a sandbox that is there. */
  async enter(sandbox: Sandbox, owned: Owned = {}): Promise<Box> {
    const clock = steeredClock({ longMs: LONG_MS });
    const opened = SandboxHandle.open({ sandbox, clock, ...owned });
    const handle = await this.within(opened, 'the sandbox takes commands');
    this.#handles.push(handle);
    const limit = { timeoutMs: this.patienceMs };
    return {
      handle,
      sandbox,
      run: (command, options) =>
        heard(handle.exec(command, { ...limit, persistent: this.mode === 'persistent', ...options })),
      keep: (command, options) => heard(handle.exec(command, { ...limit, persistent: true, ...options })),
      passTime: () => clock.passLongTime(),
    };
  }

  /** Tries until it gives something other than undefined or false. Rejects when patience ends. */
  until<T>(attempt: () => Promise<T | undefined | false>, what: string): Promise<T> {
    return until(attempt, what, this.patienceMs);
  }

  /** Rejects when it takes longer than patience; the work itself goes on, and ends with the sandbox. */
  within<T>(work: Promise<T>, what: string): Promise<T> {
    return within(work, what, this.patienceMs);
  }

  /** Resolves when at least so many processes with the text in their arguments run. */
  async running(text: string, count = 1): Promise<void> {
    await this.until(
      async () => (await this.ground.processes(text)).length >= count,
      `${count} processes ${text} run`,
    );
  }

  /** Resolves when none is left. */
  async gone(text: string): Promise<void> {
    await this.until(
      async () => (await this.ground.processes(text)).length === 0,
      `no process ${text} is left`,
    );
  }

  /** Destroys what the check made. Failing to is what `life.*` is about, and leftovers of a run fail it anyway. */
  async close(): Promise<void> {
    const ends = [...this.#handles, ...this.#sandboxes].map(each =>
      this.within(each.destroy(), 'it is destroyed'),
    );
    await Promise.allSettled(ends);
  }
}

/** A check that fails early leaves commands that nobody waits for any more; how they end is not its business. */
export function heard<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/** A number that stands in the arguments of no other process: `sleep ${newMarker()}` can be found by it. */
export function newMarker(): string {
  return String(randomInt(100_000_000, 999_999_999));
}

/** The marker for a shell that is to be found only once it has come to it: its own arguments have another text. */
export function spelled(marker: string): string {
  return `${marker.slice(0, 4)}\\${marker.slice(4)}`;
}
