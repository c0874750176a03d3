// The shell channel of a sandbox: runs commands over its lanes, one-shot or in the persistent shell, and makes sure
// that a time-out or a cancel ends every process of the command.
import type { OutputListener, Sandbox } from '../../backends/backend.ts';
import { type Clock, sleep, type Timer } from '../../base/clock.ts';
import { asHermesError, HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { buildResult, type CommandEnd, changed, type ExecResult } from '../result.ts';
import { isolated } from './isolated-listener.ts';
import type { Ending, Killed, Lane, LaneRequest, RunMode, SudoPassword } from './lane.ts';
import type { Claim, LeftBehind } from './lane-end.ts';
import { LanePool } from './lane-pool.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { ShellScripts } from './shell-scripts.ts';
import { Watch } from './watch.ts';

export interface ChannelOptions {
  readonly sandbox: Sandbox;
  readonly scripts: ShellScripts;
  readonly clock: Clock;
  /** Whose connection it is, such as a life of the gateway. */
  readonly owner: string;
}

export interface RunOptions {
  readonly mode: RunMode;
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly stdin?: Uint8Array;
  /** Written to the lane alone: never to a file, an argument or a variable that a command sees. */
  readonly password?: SudoPassword;
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
const SIGKILL = 9;
/** So long after the time limit the sandbox itself ends a command that nobody has ended. */
const LIMIT_GRACE_S = 10;

type Others = Required<Pick<Ending, 'others' | 'otherTags' | 'olderJobs'>>;

/** A command whose processes are to be ended; `since`: how many lasting tags there were when it began. */
type Ended = Omit<Ending, keyof Others> & { readonly since: number };

/** A command in its lane, which takes the next one when this one is over and nobody is about to kill it. */
interface Running {
  readonly lane: Lane;
  readonly tag: string;
  readonly mode: RunMode;
  readonly since: number;
  isOver: boolean;
  /** A kill that is under way. */
  killing?: Promise<unknown>;
  /** It was called off before it had begun. */
  isUnbegun?: boolean;
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
  readonly #orphans = new Map<string, Ended>();
  /** Tags of commands that run. */
  readonly #running = new Set<string>();
  /** Tags of jobs, and of commands that left something behind, as they came. */
  readonly #lasting: { readonly tag: string; readonly isJob: boolean }[] = [];

  constructor({ sandbox, scripts, clock, owner }: ChannelOptions) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#pool = new LanePool({ sandbox, scripts, clock, owner });
  }

  /** Proves that commands can run, and has the first lane ready. Throws SANDBOX_NO_BASH. */
  async open(): Promise<void> {
    this.#pool.release(await this.#pool.acquire());
    await this.#pool.guarded();
  }

  /** Ends what connections of these owners, a pattern, have left running; jobs go on. How many commands were cut off. */
  endEarlier(owners: string): Promise<number> {
    return this.#pool.endEarlier(owners);
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
    await this.#kill({ tag, mode: 'once', began: '-:0', since: 0 });
    if (others.length > 0) await this.#pool.killProcesses(tag, others);
  }

  /** What commands left behind, by the commands' tags, as far as nobody has said that it is gone. */
  get remnants(): ReadonlyMap<string, Remnant> {
    return this.#remnants;
  }

  /** Tags of jobs that another connection has started. */
  knowJobs(tags: readonly string[]): void {
    const known = new Set(this.#lasting.map(({ tag }) => tag));
    for (const tag of tags) if (!known.has(tag)) this.#lasting.push({ tag, isJob: true });
  }

  /** From now on it is among those that were left behind. */
  keep(remnant: Remnant): void {
    this.#remnants.set(remnant.tag, remnant);
    this.#lasting.push({ tag: remnant.tag, isJob: false });
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
    const done = (end: CommandEnd, notices: readonly string[] = []) =>
      buildResult({
        end,
        interruption: watch.interruption,
        stdout,
        stderr,
        durationMs: watch.elapsedMs(),
        notices,
      });

    if (watch.interruption) return done(UNBEGUN);
    await this.#endOrphans();
    const lane = await this.#laneUnless(watch);
    if (lane === undefined) return done(UNBEGUN);
    watch.start();

    const tag = options.tag ?? newId();
    const since = this.#lasting.length;
    if (options.tag !== undefined) this.#lasting.push({ tag, isJob: true });
    this.#running.add(tag);
    const notices: string[] = options.mode === 'keep' && this.#shellLost ? [RESTORED] : [];
    if (options.mode === 'keep') this.#shellLost = false;
    const hear = isolated(options.onOutput, notices);
    const ended = lane.run(
      {
        tag,
        mode: options.mode,
        script: command,
        cwd: options.cwd ?? '',
        ...limitOf(options),
        ...(options.stdin ? { stdin: options.stdin } : {}),
        ...(options.password ? { password: options.password } : {}),
      },
      (stream, data) => {
        (stream === 'stdout' ? stdout : stderr).push(data);
        return hear(stream, data);
      },
      () => this.#release(running),
    );
    const running: Running = { lane, tag, mode: options.mode, since, isOver: false };
    let giveUp: Timer | undefined;
    watch.onInterruption = () => {
      giveUp = this.#clock.after(KILL_GRACE_MS, () => lane.close(), { keepAlive: true });
      void this.#killFromInside(running);
    };
    const told = await ended;
    const end = told.kind === 'lost' && running.isUnbegun ? UNBEGUN : told;
    if (end.kind === 'signaled' && end.number === SIGKILL) watch.endedElsewhere();
    running.isOver = true;
    this.#running.delete(tag);
    watch.onInterruption = undefined;
    giveUp?.cancel();
    this.#pool.serveWaiting();
    // Nobody knows in which life of the sandbox it is looked for; so not by when it began.
    if (end.kind === 'lost') this.#orphans.set(tag, { tag, mode: options.mode, since });
    const left = 'leftBehind' in end ? end.leftBehind : [];
    const others = this.#othersThan({ tag, since });
    const processes = left.flatMap(({ claim, ...each }) => (isAmong(each, claim, others) ? [] : [each]));
    const isEnded = options.leftBehind === 'ended' || watch.interruption !== undefined;
    if (processes.length > 0 && isEnded) {
      const { began } = 'began' in end ? end : {};
      notices.push(
        ...(await this.#endLeftBehind({ tag, since, ...(began === undefined ? {} : { began }) }, processes)),
      );
    }
    const isRemnant = processes.length > 0 && options.listed && !isEnded;
    if (isRemnant) this.keep({ tag, command, processes, log: lane.log });
    if (end.kind === 'nocwd') throw cwdMissing(this.#sandbox, options.cwd ?? '');
    if (end.kind === 'unbegun' && watch.interruption === undefined) throw calledOff(this.#sandbox);
    if (options.mode === 'keep') {
      this.#shellLost = end.kind === 'lost' || ('shellEnded' in end && end.shellEnded);
      if (this.#shellLost) notices.push(ENDED);
    }
    const isInterrupted = watch.interruption !== undefined;
    const known = 'leftBehind' in end ? { ...end, leftBehind: isInterrupted ? [] : processes } : end;
    return changed(done(known, notices), isRemnant ? { remnantId: tag } : {});
  }

  /** A lane takes no other command while a kill of the last one may still be on its way. */
  #release({ lane, killing }: Running): void {
    if (killing === undefined) this.#pool.release(lane);
    else void Promise.allSettled([killing]).then(() => this.#pool.release(lane));
  }

  /**
   * What belongs to other commands. What is older than the command is told by its age, so that nothing new can hide under the
   * tag of something that has ended.
   */
  #othersThan({ tag, since }: Pick<Ended, 'tag' | 'since'>): Others {
    const remnants = [...this.#remnants.values()].filter(each => each.tag !== tag);
    const later = this.#lasting.slice(since).map(each => each.tag);
    return {
      others: remnants.flatMap(({ processes }) => processes),
      otherTags: [...this.#running, ...later].filter(each => each !== tag),
      olderJobs: this.#lasting.slice(0, since).flatMap(each => (each.isJob ? [each.tag] : [])),
    };
  }

  #kill({ since, ...ending }: Ended): Promise<Killed> {
    return this.#pool.kill({ ...ending, ...this.#othersThan({ tag: ending.tag, since }) });
  }

  /** The command has ended, whatever comes of this: a failure is a notice. */
  async #endLeftBehind(
    ended: Omit<Ended, 'mode'>,
    processes: readonly LeftBehind[],
  ): Promise<readonly string[]> {
    try {
      await this.#kill({ ...ended, mode: 'once' });
      await this.#pool.killProcesses(ended.tag, processes);
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
    const { lane, tag, mode, since } = running;
    try {
      while (!running.isOver) {
        const { pid } = lane.root ?? {};
        const killed = this.#kill({ tag, mode, since, ...(pid === undefined ? {} : { lane: pid }) });
        running.killing = killed;
        if ((await killed) === 'unbegun') {
          // Its lane would wait for its turn.
          running.isUnbegun = true;
          lane.close();
          return;
        }
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
      await this.#kill(orphan);
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

function isAmong(
  { pid, startedAt }: LeftBehind,
  claim: Claim | undefined,
  { others, otherTags, olderJobs }: Others,
): boolean {
  if (claim?.isCarried && olderJobs.includes(claim.tag)) return true;
  if (claim !== undefined && otherTags.includes(claim.tag)) return true;
  return others.some(other => other.pid === pid && other.startedAt === startedAt);
}

const UNBEGUN = { kind: 'unbegun' } as const;
const ENDED =
  'The persistent shell ended with this command; the next one gets a new shell with the last state.';
const RESTORED =
  'A new persistent shell was started with the state of the last finished command; jobs and open descriptors of the old one are not in it.';

function cwdMissing(sandbox: Sandbox, cwd: string): HermesError {
  const message = `The folder ${cwd} does not exist in ${sandbox.ref.name}, or cannot be entered; nothing was run.`;
  return new HermesError('SANDBOX_CWD_MISSING', message, { details: { cwd } });
}

/** In whole seconds, and later than the gateway itself would end it. */
function limitOf({ timeoutMs, listed }: RunOptions): Pick<LaneRequest, 'limitSeconds' | 'isTold'> {
  const isBounded = timeoutMs !== undefined && Number.isFinite(timeoutMs);
  return {
    ...(isBounded ? { limitSeconds: Math.ceil(timeoutMs / 1000) + LIMIT_GRACE_S } : {}),
    ...(listed ? { isTold: true } : {}),
  };
}

function calledOff(sandbox: Sandbox): HermesError {
  const message = `A later connection to ${sandbox.ref.name} called this command off before it had begun; nothing was run.`;
  return new HermesError('SANDBOX_GONE', message, { details: { ref: sandbox.ref } });
}
