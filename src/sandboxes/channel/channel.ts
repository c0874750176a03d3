// The shell channel of a sandbox: runs commands over its lanes, one-shot or in the persistent shell, and makes sure
// that a time-out or a cancel ends every process of the command.
import type { OutputListener, Sandbox } from '../../backends/backend.ts';
import { type Clock, sleep, type Timer } from '../../base/clock.ts';
import { asHermesError, HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { buildResult, changed, type ExecResult } from '../result.ts';
import { isolated } from './isolated-listener.ts';
import type { Ending, Lane, RunMode } from './lane.ts';
import type { LaneEnd, LeftBehind } from './lane-end.ts';
import { LanePool } from './lane-pool.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { ShellScripts } from './shell-scripts.ts';
import { Watch } from './watch.ts';

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
  /** What it leaves behind is listed. */
  readonly listed?: boolean;
  /** What it leaves behind is killed. */
  readonly leftBehind?: 'ended';
  /** Given for a background job, whose processes must be found again; else random. */
  readonly tag?: string;
}

/** A command that has ended, and what of it was still running then. */
export interface Remnant {
  readonly tag: string;
  readonly command: string;
  readonly processes: readonly LeftBehind[];
  /** What they have written since; of those found again, nothing. */
  readonly log: Pick<OutputBuffer, 'bytes'>;
}

/** After a kill the end mark comes at once; if it does not, the lane is given up. */
const KILL_GRACE_MS = 5_000;
const KILL_PAUSE_MS = 50;

/** A command in its lane, which takes the next one when this one is over and nobody is about to kill it. */
interface Running {
  readonly lane: Lane;
  readonly tag: string;
  readonly mode: RunMode;
  isOver: boolean;
  /** A kill that is under way. */
  killing?: Promise<unknown>;
}

export class Channel {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #pool: LanePool;
  /** Persistent commands run in call order: each waits for the one before it. */
  #turn: Promise<unknown> = Promise.resolve();
  #shellLost = false;
  readonly #remnants = new Map<string, Remnant>();
  /** Commands whose lane was lost: what they run may live on behind a connection that is gone. */
  readonly #orphans = new Map<string, Ending>();

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
    if (options.timeoutMs !== undefined && !(options.timeoutMs > 0)) {
      throw new HermesError(
        'USAGE_BAD_ARGUMENTS',
        `A time limit of ${options.timeoutMs} ms is none; nothing was run.`,
      );
    }
    if (command.includes('\0') || options.cwd?.includes('\0')) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'A command cannot contain a NUL byte; nothing was run.');
    }
    const watch = new Watch(this.#clock, options);
    try {
      return options.mode === 'keep'
        ? await this.#inTurn(command, options, watch)
        : await this.#runIn(command, options, watch);
    } finally {
      watch.close();
    }
  }

  /** Ends the processes that carry this tag, and these. */
  async kill(tag: string, others: readonly LeftBehind[] = []): Promise<void> {
    await this.#pool.kill({ tag, mode: 'once', began: '-:0', others: this.#othersThan(tag) });
    if (others.length > 0) await this.#pool.killProcesses(tag, others);
  }

  /** What commands left behind, by the commands' tags, as far as nobody has said that it is gone. */
  get remnants(): ReadonlyMap<string, Remnant> {
    return this.#remnants;
  }

  /** From now on it is among those that were left behind. */
  keep(remnant: Remnant): void {
    this.#remnants.set(remnant.tag, remnant);
  }

  /** Nothing of it is running any more. */
  forget(tag: string): void {
    this.#remnants.delete(tag);
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
    await this.#endOrphans();
    const lane = await this.#laneUnless(watch);
    if (lane === undefined) return done(notRun, ['It was not started.']);
    watch.start();

    const tag = options.tag ?? newId();
    const notices: string[] = options.mode === 'keep' && this.#shellLost ? [RESTORED] : [];
    if (options.mode === 'keep') this.#shellLost = false;
    const hear = isolated(options.onOutput, notices);
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
        return hear(stream, data);
      },
      () => this.#release(running),
    );
    const running: Running = { lane, tag, mode: options.mode, isOver: false };
    let giveUp: Timer | undefined;
    watch.onInterruption = () => {
      giveUp = this.#clock.after(KILL_GRACE_MS, () => lane.close(), { keepAlive: true });
      void this.#killFromInside(running);
    };
    const end = await ended;
    running.isOver = true;
    watch.onInterruption = undefined;
    giveUp?.cancel();
    this.#pool.serveWaiting();
    // Nobody knows in which life of the sandbox it is looked for; so not by when it began.
    if (end.kind === 'lost') this.#orphans.set(tag, { tag, mode: options.mode });
    const left = 'leftBehind' in end ? end.leftBehind : [];
    const processes = left.filter(each => !isAmong(each, this.#othersThan(tag)));
    const isEnded = options.leftBehind === 'ended' || watch.interruption !== undefined;
    if (processes.length > 0 && isEnded) {
      const began = 'began' in end ? end.began : undefined;
      notices.push(...(await this.#endLeftBehind(tag, processes, began)));
    }
    const isRemnant = processes.length > 0 && options.listed && !isEnded;
    if (isRemnant) this.keep({ tag, command, processes, log: lane.log });
    if (end.kind === 'nocwd') throw cwdMissing(this.#sandbox, options.cwd ?? '');
    if (options.mode === 'keep') {
      this.#shellLost = end.kind === 'lost' || end.shellEnded;
      if (this.#shellLost) notices.push(ENDED);
    }
    const isInterrupted = watch.interruption !== undefined;
    const told = 'leftBehind' in end ? { ...end, leftBehind: isInterrupted ? [] : processes } : end;
    return changed(done(told, notices), isRemnant ? { remnantId: tag } : {});
  }

  /** A lane takes no other command while a kill of the last one may still be on its way. */
  #release({ lane, killing }: Running): void {
    if (killing === undefined) this.#pool.release(lane);
    else void Promise.allSettled([killing]).then(() => this.#pool.release(lane));
  }

  /** What other commands have left behind. */
  #othersThan(tag: string): readonly LeftBehind[] {
    return [...this.#remnants.values()].flatMap(each => (each.tag === tag ? [] : each.processes));
  }

  /** The command has ended, whatever comes of this: a failure is a notice. */
  async #endLeftBehind(
    tag: string,
    processes: readonly LeftBehind[],
    began: string | undefined,
  ): Promise<readonly string[]> {
    try {
      const others = this.#othersThan(tag);
      await this.#pool.kill({ tag, mode: 'once', others, ...(began === undefined ? {} : { began }) });
      await this.#pool.killProcesses(tag, processes);
      return [];
    } catch (error) {
      const { message } = asHermesError(error);
      return [`What it left behind could not be ended: ${message}`];
    }
  }

  /** Undefined when the command was cancelled while it waited for one. */
  async #laneUnless(watch: Watch): Promise<Lane | undefined> {
    try {
      const lane = await this.#pool.acquire(watch.signal);
      if (!watch.interruption) return lane;
      this.#pool.release(lane);
    } catch (error) {
      if (!watch.interruption) throw error;
    }
    return undefined;
  }

  /**
   * Again until the command has ended: it may not have started yet when it is killed for the first time. A lane whose
   * command cannot be killed that way is given up as a whole.
   */
  async #killFromInside(running: Running): Promise<void> {
    const { lane, tag, mode } = running;
    try {
      while (!running.isOver) {
        const { pid } = lane.root ?? {};
        const others = this.#othersThan(tag);
        running.killing = this.#pool.kill({ tag, mode, others, ...(pid === undefined ? {} : { lane: pid }) });
        await running.killing;
        await sleep(this.#clock, KILL_PAUSE_MS);
      }
    } catch {
      // Whatever the reason, the lane's own end now tells the command's.
      if (!running.isOver) lane.close();
    }
  }

  /** Their results said that nothing is known of them; nothing of them runs beside what comes next. */
  async #endOrphans(): Promise<void> {
    for (const [tag, orphan] of this.#orphans) {
      await this.#pool.kill({ ...orphan, others: this.#othersThan(tag) });
      this.#orphans.delete(tag);
    }
  }

  /** Persistent commands run in call order. One that is cancelled while it waits does not wait any longer. */
  async #inTurn(command: string, options: RunOptions, watch: Watch): Promise<ExecResult> {
    const before = this.#turn;
    const mine = Promise.withResolvers<void>();
    this.#turn = before.then(() => mine.promise);
    try {
      await Promise.race([before, watch.interrupted]);
      return await this.#runIn(command, options, watch);
    } finally {
      mine.resolve();
    }
  }
}

function isAmong({ pid, startedAt }: LeftBehind, others: readonly LeftBehind[]): boolean {
  return others.some(other => other.pid === pid && other.startedAt === startedAt);
}

const ENDED =
  'The persistent shell ended with this command; the next one gets a new shell with the last state.';
const RESTORED =
  'A new persistent shell was started with the state of the last finished command; jobs and open descriptors of the old one are not in it.';

function cwdMissing(sandbox: Sandbox, cwd: string): HermesError {
  const message = `The folder ${cwd} does not exist in ${sandbox.ref.name}, or cannot be entered; nothing was run.`;
  return new HermesError('SANDBOX_CWD_MISSING', message, { details: { cwd } });
}
