// The shell channel of a sandbox: runs commands over its lanes, one-shot or in the persistent shell, and makes sure
// that a time-out or a cancel ends every process of the command.
import type { Sandbox } from '../../backends/backend.ts';
import { type Clock, sleep, type Timer } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { buildResult, type ExecResult, type Interruption } from '../result.ts';
import type { Lane, LaneEnd, OutputListener, RunMode } from './lane.ts';
import { LanePool } from './lane-pool.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { ShellScripts } from './shell-scripts.ts';

export interface ChannelOptions {
  readonly sandbox: Sandbox;
  readonly scripts: ShellScripts;
  readonly clock: Clock;
}

export interface RunOptions {
  readonly mode: RunMode;
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly stdin?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly onOutput?: OutputListener;
  /** How much of each stream is kept. */
  readonly keepBytes: number;
  /** Given for a background job, whose processes must be found again; else random. */
  readonly tag?: string;
}

export interface HeldLane {
  readonly lane: Lane;
  readonly tag: string;
  readonly command: string;
}

/** After a kill the end mark comes at once; if it does not, the lane is given up. */
const KILL_GRACE_MS = 5_000;
const KILL_PAUSE_MS = 50;

export class Channel {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #pool: LanePool;
  /** Persistent commands run in call order: each waits for the one before it. */
  #turn: Promise<unknown> = Promise.resolve();
  #shellLost = false;
  readonly #held = new Map<Lane, Omit<HeldLane, 'lane'>>();

  constructor({ sandbox, scripts, clock }: ChannelOptions) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#pool = new LanePool({ sandbox, scripts, clock });
  }

  /** Proves that commands can run, and has the first lane ready. Throws SANDBOX_NO_BASH. */
  async open(): Promise<void> {
    this.#pool.release(await this.#pool.acquire());
  }

  /** Rejects only for what was not run: NUL in the command, a missing cwd, a sandbox that cannot be reached. */
  async run(command: string, options: RunOptions): Promise<ExecResult> {
    if (command.includes('\0') || options.cwd?.includes('\0')) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'A command cannot contain a NUL byte; nothing was run.');
    }
    const watch = new Watch(this.#clock, options);
    try {
      return options.mode === 'keep'
        ? await this.#inTurn(() => this.#runIn(command, options, watch))
        : await this.#runIn(command, options, watch);
    } finally {
      watch.close();
    }
  }

  /** Ends the processes that carry this tag. */
  async kill(tag: string): Promise<void> {
    await this.#pool.kill(tag, 'once');
  }

  /** Lanes whose output is still held by something that a command left behind, and which command that was. */
  heldLanes(): readonly HeldLane[] {
    return [...this.#held]
      .filter(([lane]) => lane.state === 'held')
      .map(([lane, command]) => ({ lane, ...command }));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #runIn(command: string, options: RunOptions, watch: Watch): Promise<ExecResult> {
    const stdout = new OutputBuffer(options.keepBytes);
    const stderr = new OutputBuffer(options.keepBytes);
    const done = (end: Exclude<LaneEnd, { kind: 'nocwd' }>, notices: readonly string[] = []) =>
      buildResult({
        end,
        interruption: watch.interruption,
        stdout,
        stderr,
        durationMs: watch.elapsedMs(),
        notices,
      });

    const notRun = {
      kind: 'exited',
      number: 0,
      leftBehind: [],
      shellEnded: false,
      outOfMemory: false,
    } as const;
    if (watch.interruption) return done(notRun, ['It was not started.']);
    const lane = await this.#pool.acquire();
    if (watch.interruption) {
      this.#pool.release(lane);
      return done(notRun, ['It was not started.']);
    }
    watch.start();

    const tag = options.tag ?? newId();
    const notices = options.mode === 'keep' && this.#shellLost ? [RESTORED] : [];
    if (options.mode === 'keep') this.#shellLost = false;
    const ended = lane.run(
      {
        tag,
        mode: options.mode,
        script: command,
        cwd: options.cwd ?? '',
        ...(options.stdin ? { stdin: options.stdin } : {}),
      },
      (stream, data) => {
        (stream === 'stdout' ? stdout : stderr).push(data);
        options.onOutput?.(stream, data);
      },
      () => {
        this.#held.delete(lane);
        this.#pool.release(lane);
      },
    );
    let giveUp: Timer | undefined;
    watch.onInterruption = () => {
      giveUp = this.#clock.after(KILL_GRACE_MS, () => lane.close(), { keepAlive: true });
      void this.#killFromInside(lane, tag, options.mode);
    };
    const end = await ended;
    watch.onInterruption = undefined;
    giveUp?.cancel();
    if ('leftBehind' in end && end.leftBehind.length > 0) this.#held.set(lane, { tag, command });
    if (end.kind === 'nocwd') throw cwdMissing(this.#sandbox, options.cwd ?? '');
    if (options.mode === 'keep') {
      this.#shellLost = end.kind === 'lost' || end.shellEnded;
      if (this.#shellLost) notices.push(ENDED);
    }
    return done(end, notices);
  }

  /**
   * Again until the command has ended: it may not have started yet when it is killed for the first time. A lane whose
   * command cannot be killed that way is given up as a whole.
   */
  async #killFromInside(lane: Lane, tag: string, mode: RunMode): Promise<void> {
    try {
      while (lane.state === 'busy') {
        await this.#pool.kill(tag, mode);
        await sleep(this.#clock, KILL_PAUSE_MS);
      }
    } catch (error) {
      if (!(error instanceof HermesError)) throw error;
      lane.close();
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work);
    this.#turn = result;
    return result;
  }
}

const ENDED =
  'The persistent shell ended with this command; the next one gets a new shell with the last state.';
const RESTORED =
  'A new persistent shell was started with the state of the last finished command; jobs and open descriptors of the old one are not in it.';

/** Time limit and cancel of one command: what interrupted it first, if anything. */
class Watch {
  interruption: Interruption | undefined;
  onInterruption: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #options: RunOptions;
  readonly #onAbort = (): void => this.#interrupt('canceled');
  #timer: Timer | undefined;
  #startedAt: number;

  constructor(clock: Clock, options: RunOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#startedAt = clock.monotonic();
    if (options.signal?.aborted) this.interruption = 'canceled';
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The time limit counts from here: waiting for a lane or for the shell's turn is not the command's fault. */
  start(): void {
    this.#startedAt = this.#clock.monotonic();
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined && Number.isFinite(timeoutMs)) {
      this.#timer = this.#clock.after(timeoutMs, () => this.#interrupt('timed-out'), { keepAlive: true });
    }
  }

  elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  close(): void {
    this.#timer?.cancel();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #interrupt(interruption: Interruption): void {
    if (this.interruption) return;
    this.interruption = interruption;
    this.onInterruption?.();
  }
}

function cwdMissing(sandbox: Sandbox, cwd: string): HermesError {
  const message = `The folder ${cwd} does not exist in ${sandbox.ref.name}, or cannot be entered; nothing was run.`;
  return new HermesError('SANDBOX_CWD_MISSING', message, { details: { cwd } });
}
