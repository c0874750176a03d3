// One run of a sandbox at the service, from its making or finding to its end: processes in it, its signs of life, and
// the watch over whether it is still there.
import type { Sandbox as Remote } from 'modal';
import type { Clock, Timer } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { SandboxProcess, SandboxRef } from '../backend.ts';
import { type Cloud, gone } from './cloud.ts';
import { endedBecause } from './creation.ts';
import { FORGET_EARLIER_RUN } from './earlier-run.ts';
import { ModalProcess, NotStarted } from './exec-process.ts';
import { GIVE_SIGN, signEveryMs } from './guard.ts';
import { isNamed, isNotFound, isOpenEnded, statusOf } from './reasons.ts';

export interface LiveParts {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly ref: SandboxRef;
  readonly remote: Remote;
  readonly workdir: string;
  readonly idleSeconds: number;
}

/**
 * Runs before a program: gives a sign of life, enters the folder, says that the program is there and under which number in
 * the sandbox. `$1`: the run, which is the sandbox's id at the service; `$2`: the folder.
 */
const PRELUDE = `${GIVE_SIGN}
${FORGET_EARLIER_RUN}
shift
cd -- "$1" || exit 126
shift
command -v "$1" >/dev/null 2>&1 || exit 127
printf '%s\\n' "$$"
exec "$@"`;

const NO_FOLDER = 126;
const NO_PROGRAM = 127;
const NOT_THERE = 'does not exist at Modal any more';
/** How long one question after its end may wait for an answer, in seconds. */
const WATCH_SECONDS = 30;

export class Live {
  readonly #parts: LiveParts;
  readonly #lost = Promise.withResolvers<string>();
  readonly #over = new AbortController();
  #whyLost: string | undefined;
  #isWatched = false;
  #sign: Timer | undefined;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    parts.cloud.closed.addEventListener('abort', this.#onClosed, { once: true });
    this.#signLater();
  }

  get remote(): Remote {
    return this.#parts.remote;
  }

  /** Throws SANDBOX_GONE, SANDBOX_PROGRAM_MISSING, SANDBOX_CWD_MISSING or UNAVAILABLE_BACKEND. */
  async spawn(
    argv: readonly string[],
    { workdir = this.#parts.workdir, signal }: { workdir?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<SandboxProcess> {
    const { cloud, ref, clock } = this.#parts;
    this.#watch();
    if (this.#whyLost !== undefined) throw gone(ref, this.#whyLost);
    signal?.throwIfAborted();
    const started = this.remote.exec(
      ['/bin/sh', '-c', PRELUDE, 'hermes', this.remote.sandboxId, workdir, ...argv],
      {
        mode: 'binary',
        workdir: '/',
      },
    );
    try {
      const process = new ModalProcess({
        process: await cloud.answer(Promise.race([started, this.#gone()]), { signal }),
        clock,
        lost: this.#lost.promise,
        killInside: pid => this.#killInside(pid),
      });
      await process.begin(signal);
      return process;
    } catch (error) {
      // One that comes after all finds its input at an end.
      void Promise.allSettled([started.then(late => late.stdin.close())]);
      signal?.throwIfAborted();
      throw await this.#notSpawned(error, argv[0] ?? '', workdir);
    }
  }

  /** Nobody is to hear of it any more: it is ended, suspended, or given up. */
  release(why: string): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#sign?.cancel();
    this.#parts.cloud.closed.removeEventListener('abort', this.#onClosed);
    this.#lose(why);
    this.remote.detach();
  }

  async #gone(): Promise<never> {
    throw gone(this.#parts.ref, await this.#lost.promise);
  }

  readonly #onClosed = (): void => this.release('was let go of');

  #lose(why: string): void {
    this.#whyLost ??= why;
    this.#lost.resolve(why);
  }

  /** The streams of a sandbox that is gone are asked for again and again by the SDK; the service itself knows at once. */
  #watch(): void {
    if (this.#isWatched || this.#over.signal.aborted) return;
    this.#isWatched = true;
    void this.#untilOver().then(
      why => why !== undefined && this.#lose(why),
      // The service does not answer; the streams find out whether it is still there.
      () => {
        this.#isWatched = false;
      },
    );
  }

  /** Undefined when nobody wants to know any more. */
  async #untilOver(): Promise<string | undefined> {
    while (!this.#over.signal.aborted) {
      const why = await this.#endOf(WATCH_SECONDS);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** How it ended; undefined when it has not within that time, or nobody wants to know. Throws what the service answers. */
  async #endOf(seconds: number): Promise<string | undefined> {
    const { cloud, remote } = this.#parts;
    const { signal } = this.#over;
    const { cpClient } = await cloud.client();
    try {
      const wanted = { sandboxId: remote.sandboxId, timeout: seconds };
      const { result } = await cpClient.sandboxWaitV2(wanted, { signal });
      return result?.status ? endedBecause(result.status, result.exitcode) : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isNotFound(error)) return NOT_THERE;
      throw error;
    }
  }

  /** The service may not have told yet why it is over. */
  async #whyOver(): Promise<string> {
    const [told] = await Promise.allSettled([this.#whyLost ?? this.#endOf(0)]);
    return (told.status === 'fulfilled' ? told.value : undefined) ?? NOT_THERE;
  }

  /** By another exec, because the service kills none. */
  async #killInside(pid: string): Promise<void> {
    try {
      const killing = await this.remote.exec(['/bin/sh', '-c', 'kill -9 "$1"', 'hermes', pid], {
        stdout: 'ignore',
        stderr: 'ignore',
      });
      await Promise.race([killing.wait(), this.#lost.promise]);
    } catch (error) {
      // Whoever wanted it dead hears that nothing is known of it any more.
      if (statusOf(error) === undefined && !isNamed(error, 'ClientClosedError')) throw error;
    }
  }

  #signLater(): void {
    this.#sign = this.#parts.clock.after(signEveryMs(this.#parts.idleSeconds), () => {
      const sign = ['/bin/sh', '-c', GIVE_SIGN];
      const given = this.#parts.cloud.answer(this.remote.exec(sign, { stdout: 'ignore', stderr: 'ignore' }));
      // One that could not be given is given the next time.
      void Promise.allSettled([given]).then(() => !this.#over.signal.aborted && this.#signLater());
    });
  }

  async #notSpawned(error: unknown, program: string, workdir: string): Promise<unknown> {
    const { ref, cloud } = this.#parts;
    if (error instanceof NotStarted) return this.#notStarted(error, program, workdir);
    if (error instanceof HermesError) return error;
    if (isNamed(error, 'ClientClosedError')) return gone(ref, this.#whyLost ?? 'was let go of', error);
    const isGone = isNotFound(error) || isNamed(error, 'ConflictError');
    if (isGone) return gone(ref, await this.#whyOver(), error);
    if (isOpenEnded(error) && this.#whyLost !== undefined) return gone(ref, this.#whyLost, error);
    return isOpenEnded(error) || statusOf(error) !== undefined ? cloud.unavailable(error) : error;
  }

  async #notStarted(error: NotStarted, program: string, workdir: string): Promise<HermesError> {
    const { ref } = this.#parts;
    const { exit } = error;
    const details = { ref, program, workdir };
    const isOver = this.#whyLost !== undefined || 'lost' in exit || (await this.#isGone());
    if (isOver) return gone(ref, await this.#whyOver(), error);
    const code = 'code' in exit ? exit.code : undefined;
    if (code === NO_FOLDER) {
      const message = `The folder ${workdir} is not there any more; nothing was started.`;
      return new HermesError('SANDBOX_CWD_MISSING', message, { details, cause: error });
    }
    if (code === NO_PROGRAM) {
      const message = `There is no program ${program} in ${ref.name}.`;
      return new HermesError('SANDBOX_PROGRAM_MISSING', message, { details, cause: error });
    }
    const message = `${program} could not be started in ${ref.name}: ${error.message || 'nothing was said'}.`;
    return new HermesError('SANDBOX_SPAWN_FAILED', message, { details, cause: error });
  }

  /** Asked after a process has ended before its time: a sandbox that is being ended takes its processes along first. */
  async #isGone(): Promise<boolean> {
    try {
      return (await this.#parts.cloud.answer(this.remote.poll())) !== null;
    } catch (error) {
      if (isNotFound(error) || isNamed(error, 'ClientClosedError')) return true;
      throw this.#parts.cloud.unavailable(error);
    }
  }
}
