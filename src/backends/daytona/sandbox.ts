// One sandbox in the cloud as a Sandbox.

import type { Abortable } from '../../base/abortable.ts';
import { type Clock, sleep, type Timer } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { Enforcement, Sandbox, SandboxProcess, SandboxRef } from '../backend.ts';
import { type Box, type Cloud, WAKE_MS } from './cloud.ts';
import { facts } from './facts.ts';
import { ApiFault, gone } from './faults.ts';
import { NotStarted, type PtyProcess, startPtyProcess } from './pty-process.ts';
import { conditionOf } from './states.ts';

export interface SandboxParts {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly ref: SandboxRef;
  /** As it is now: commands can run in it. */
  readonly box: Box;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly enforcement: Enforcement;
}

/** How long the cloud is asked what has become of a sandbox whose connection broke. */
const ASK_MS = 5_000;
const MINUTE_MS = 60_000;

export function daytonaSandbox(parts: SandboxParts): Sandbox {
  const { ref, workdir, env, enforcement } = parts;
  const life = new Life(parts);
  return {
    ref,
    workdir,
    env,
    enforcement,
    ownProcesses: facts.capabilities.ownProcesses,
    channelDir: '/tmp/.hermes-channel',
    spawn: (argv, options = {}) => life.spawn(argv, options),
    suspend: (options = {}) => life.suspend(options),
    resume: (options = {}) => life.resume(options),
    destroy: (options = {}) => life.destroy(options),
  };
}

class Life {
  readonly #parts: SandboxParts;
  readonly #processes = new Set<PtyProcess>();
  #box: Box;
  #isSuspended = false;
  #beat: Timer | undefined;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#box = parts.box;
  }

  async spawn(argv: readonly [string, ...string[]], { signal }: Abortable): Promise<SandboxProcess> {
    const { ref } = this.#parts;
    try {
      return await this.#start(argv, signal);
    } catch (error) {
      if (error instanceof NotStarted) throw notStarted(error, ref, argv[0]);
      if (!(error instanceof ApiFault)) throw error;
      // It may have been stopped by its dead-man switch, or by somebody else. Nothing was started, so it may be tried again.
      if (!(await this.#wakeIfAsleep(error, signal))) throw spawnFailed(error, ref);
      return this.#start(argv, signal).catch((again: unknown) => {
        throw again instanceof ApiFault ? spawnFailed(again, ref) : again;
      });
    }
  }

  async suspend({ signal }: Abortable): Promise<void> {
    const { cloud, ref } = this.#parts;
    this.#isSuspended = true;
    try {
      await this.#translated(async () => {
        const box = await cloud.rest(this.#box.id, signal);
        if (!box || conditionOf(box.state) === 'gone') throw gone(ref);
      });
    } catch (error) {
      // It goes on as it was, as far as anybody knows.
      this.#isSuspended = false;
      throw error;
    }
    this.#drop('the sandbox was suspended');
  }

  async resume({ signal }: Abortable): Promise<void> {
    const { cloud, ref } = this.#parts;
    await this.#translated(async () => {
      const found = await cloud.find(this.#box.id, signal);
      const box = found && (await cloud.wake(found, { limitMs: WAKE_MS, signal }));
      if (!box) throw gone(ref);
      this.#box = box;
    });
    this.#isSuspended = false;
  }

  async destroy({ signal }: Abortable): Promise<void> {
    const { cloud } = this.#parts;
    this.#isSuspended = true;
    await this.#translated(() => cloud.remove(this.#box.id, signal));
    this.#drop('the sandbox was destroyed');
  }

  async #start(argv: readonly string[], signal: AbortSignal | undefined): Promise<SandboxProcess> {
    const { cloud, clock, workdir, ref } = this.#parts;
    if (this.#isSuspended) throw gone(ref, 'is suspended or gone');
    const toolbox = await cloud.toolbox(this.#box);
    const process = await startPtyProcess({
      ...{ clock, argv, workdir, signal, toolbox },
      execute: script => cloud.execute(toolbox, script),
      explainLoss: reason => this.#explainLoss(reason),
    });
    this.#processes.add(process);
    this.#beat ??= this.#nextBeat();
    void process.exit.then(() => this.#processes.delete(process));
    return process;
  }

  /** True when it was asleep and is awake now. Throws SANDBOX_GONE, or UNAVAILABLE_BACKEND when nobody can tell. */
  async #wakeIfAsleep(fault: ApiFault, signal: AbortSignal | undefined): Promise<boolean> {
    const { cloud, ref } = this.#parts;
    return this.#translated(async () => {
      const found = await cloud.find(this.#box.id, signal);
      const condition = conditionOf(found?.state);
      if (!found || condition === 'gone') throw gone(ref, undefined, fault);
      if (condition === 'failed') throw gone(ref, failedWords(found), fault);
      if (condition === 'ready') return false;
      const box = await cloud.wake(found, { limitMs: WAKE_MS, signal });
      if (!box) throw gone(ref, undefined, fault);
      this.#box = box;
      return true;
    });
  }

  async #explainLoss(reason: string): Promise<string> {
    const { cloud, clock } = this.#parts;
    const lost = `the connection to the sandbox was lost (${reason})`;
    const asked = cloud.find(this.#box.id).then(
      found => {
        const condition = conditionOf(found?.state);
        if (!found || condition === 'gone') return 'the sandbox does not exist any more';
        if (condition === 'failed') return `the sandbox ${failedWords(found)}`;
        return condition === 'ready' ? lost : `the sandbox was stopped from outside (it is ${found.state})`;
      },
      () => lost,
    );
    const done = new AbortController();
    const late = sleep(clock, ASK_MS, done.signal).then(
      () => lost,
      () => lost,
    );
    return Promise.race([asked, late]).finally(() => done.abort());
  }

  /** While something runs in it, the dead-man switch is put off. */
  #nextBeat(): Timer {
    const { cloud, clock } = this.#parts;
    const everyMs = ((this.#box.autoStopInterval || 15) * MINUTE_MS) / 3;
    return clock.after(everyMs, () => {
      this.#beat = undefined;
      if (this.#processes.size === 0 || this.#isSuspended) return;
      this.#beat = this.#nextBeat();
      // The next one may get through; if none does, the switch does what it is for.
      cloud.touch(this.#box.id).catch((error: unknown) => {
        if (!(error instanceof ApiFault)) throw error;
      });
    });
  }

  #drop(reason: string): void {
    this.#beat?.cancel();
    this.#beat = undefined;
    for (const process of [...this.#processes]) process.drop(reason);
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#parts.cloud.asError(error);
    }
  }
}

export function failedWords({ state, errorReason }: Pick<Box, 'state' | 'errorReason'>): string {
  return `is in the state ${state}${errorReason ? ` (${errorReason.replace(/\.$/, '')})` : ''}`;
}

function notStarted(error: NotStarted, ref: SandboxRef, program: string): HermesError {
  if (error.word === 'nocwd') return gone(ref, 'has lost the folder that commands start in', error);
  const message = `There is no program ${program} in ${ref.name}.`;
  return new HermesError('SANDBOX_PROGRAM_MISSING', message, { details: { ref }, cause: error });
}

function spawnFailed(fault: ApiFault, ref: SandboxRef): HermesError {
  const message = `No process could be started in ${ref.name}: ${fault.message || `Daytona answers ${fault.status}`}.`;
  return new HermesError('SANDBOX_SPAWN_FAILED', message, { details: { ref }, cause: fault });
}
