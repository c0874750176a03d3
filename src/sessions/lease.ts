// A run's hold on its session's sandbox. While it lasts nothing reaps the sandbox (P5); a sandbox that is lost under it
// is found again or made anew once per command, and the result says which.
import { isHermesError } from '../base/errors.ts';
import type { BackgroundProcess } from '../sandboxes/background-process.ts';
import type { ExecOptions, SandboxHandle } from '../sandboxes/handle.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { Session } from '../store/sessions.ts';
import type { Held, Holder, LeaseRequest } from './held.ts';
import type { SandboxWorld } from './world.ts';

export interface LeaseParts {
  readonly world: SandboxWorld;
  readonly sandboxes: Holder;
  readonly session: Session;
  readonly request: LeaseRequest;
  readonly held: Held;
}

export class SandboxLease implements AsyncDisposable {
  readonly #parts: LeaseParts;
  #held: Held;
  #isLost = false;
  #notices: string[];

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#held = parts.held;
    this.#notices = [...parts.held.notices];
  }

  get sandboxId(): string {
    return this.#held.id;
  }

  /** For files and what else is no command; may be lost at any time. */
  get handle(): SandboxHandle {
    return this.#held.handle;
  }

  /** Rejects only when nothing was run. What may have run is never run again (P10). */
  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    if (this.#isLost) await this.#replace();
    const result = await this.#tryTwice(handle => handle.exec(command, options));
    this.#isLost = result.outcome === 'sandbox-lost';
    await this.#record(command, result.outcome === 'exited' ? `exited ${result.exitCode}` : result.outcome);
    return { ...result, notices: [...this.#notices.splice(0), ...result.notices] };
  }

  /** Starts a background process; as long as it runs, the sandbox is kept alive. */
  async start(command: string, options: { cwd?: string } = {}): Promise<BackgroundProcess> {
    const { store, redact, log } = this.#parts.world;
    const process = await this.#tryTwice(handle => handle.start(command, options));
    const ref = { sandboxId: this.#held.id, id: process.id };
    await store.processes.enter({ ...ref, command: redact(command) });
    await this.#record(command, 'started');
    process.wait().then(
      end =>
        store.processes.end(
          ref,
          end.state === 'exited'
            ? { state: 'exited', code: end.exitCode }
            : end.state === 'signaled'
              ? { state: 'signaled', code: end.signal }
              : { state: 'ended' },
        ),
      // The sandbox went, or the gateway ends: whoever looks next finds out what became of it.
      error =>
        log.debug({ process: ref.id, error: String(error) }, 'background process is watched no longer'),
    );
    return process;
  }

  async release(): Promise<void> {
    const { sandboxes, session } = this.#parts;
    await (this.#isLost ? sandboxes.shake(session, this.#held) : sandboxes.release(this.#held));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  async #tryTwice<T>(work: (handle: SandboxHandle) => Promise<T>): Promise<T> {
    try {
      return await work(this.#held.handle);
    } catch (error) {
      if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
      await this.#replace();
      return work(this.#held.handle);
    }
  }

  /** By the same one, if it can be reached again, else by a new one; its notices say which. */
  async #replace(): Promise<void> {
    const { sandboxes, session, request } = this.#parts;
    await sandboxes.shake(session, this.#held);
    this.#held = await sandboxes.hold(session, request);
    this.#isLost = false;
    this.#notices.push(...this.#held.notices);
  }

  async #record(command: string, outcome: string): Promise<void> {
    const { world, session, request } = this.#parts;
    await world.store.audit.append({
      actor: request.actor,
      sessionId: session.id,
      sandboxId: this.#held.id,
      action: 'command',
      subject: world.redact(command),
      outcome,
    });
  }
}
