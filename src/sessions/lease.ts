// A run's hold on its session's sandbox. While it lasts nothing reaps the sandbox (P5); a sandbox that is lost under it
// is found again or made anew once per command, and the result says which.
import { isHermesError } from '../base/errors.ts';
import type { BackgroundProcess } from '../sandboxes/background-process.ts';
import type { ExecOptions, SandboxHandle, StartOptions } from '../sandboxes/handle.ts';
import { changed, type ExecResult } from '../sandboxes/result.ts';
import type { NewAuditEntry } from '../store/audit.ts';
import type { CallRef } from '../store/begun-calls.ts';
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

interface LeaseStartOptions extends StartOptions {
  readonly call?: CallRef;
  /** How often the chat is told that it still runs; absent = never. */
  readonly checkIntervalMs?: number;
}

export class SandboxLease implements AsyncDisposable {
  readonly #parts: LeaseParts;
  #held: Held;
  #isLost = false;
  #replacing: Promise<void> | undefined;
  readonly #recording = new Set<Promise<void>>();
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
  async exec(
    command: string,
    { call, ...options }: ExecOptions & { readonly call?: CallRef } = {},
  ): Promise<ExecResult> {
    await this.#restore();
    await this.#recordStart(command, call);
    try {
      const result = await this.#tryTwice(async handle => {
        const ended = await handle.exec(command, options);
        // Another command may have put a new one in its place already.
        if (ended.outcome === 'sandbox-lost' && this.#held.handle === handle) this.#isLost = true;
        return ended;
      });
      const { outcome, exitCode, remnantId } = result;
      if (remnantId !== undefined) await this.#keepAliveFor(remnantId, command);
      this.#recordSoon(command, outcome === 'exited' ? `exited ${exitCode}` : outcome);
      return changed(result, { notices: [...this.#notices.splice(0), ...result.notices] });
    } catch (error) {
      await this.#record(command, 'not run');
      throw error;
    }
  }

  /** Starts a background process; as long as it runs, the sandbox is kept alive. */
  async start(
    command: string,
    { call, checkIntervalMs, ...options }: LeaseStartOptions = {},
  ): Promise<BackgroundProcess> {
    const { world, sandboxes } = this.#parts;
    await this.#restore();
    await this.#recordStart(command, call);
    let process: BackgroundProcess;
    try {
      process = await this.#tryTwice(handle => handle.start(command, options));
    } catch (error) {
      await this.#record(command, 'not run');
      throw error;
    }
    const ref = { sandboxId: this.#held.id, id: process.id };
    await this.#noted('The background process could not be written down', () =>
      world.store.processes.enter({
        ...{ ...ref, command },
        ...(checkIntervalMs === undefined ? {} : { checkIntervalMs }),
      }),
    );
    sandboxes.background.watch(ref, process, checkIntervalMs);
    return process;
  }

  /** What a command left running counts as a background process; nobody asked to be told of its end. */
  async #keepAliveFor(id: string, command: string): Promise<void> {
    const { world, sandboxes } = this.#parts;
    const ref = { sandboxId: this.#held.id, id };
    await this.#noted('What it left running could not be written down', async () => {
      await world.store.transaction(async ({ processes }) => {
        await processes.enter({ ...ref, command });
        await processes.markTold(ref);
      });
      sandboxes.background.watch(ref, await this.#held.handle.process(id));
    });
  }

  /** What the results of commands have not told yet. */
  takeNotices(): readonly string[] {
    return this.#notices.splice(0);
  }

  async release(): Promise<void> {
    const { sandboxes, session } = this.#parts;
    // What is being put in its place would stay held.
    await Promise.allSettled([this.#replacing, ...this.#recording]);
    await (this.#isLost ? sandboxes.shake(session, this.#held) : sandboxes.release(this.#held));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  async #tryTwice<T>(work: (handle: SandboxHandle) => Promise<T>): Promise<T> {
    const { handle } = this.#held;
    try {
      return await work(handle);
    } catch (error) {
      if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
      if (this.#held.handle === handle) this.#isLost = true;
      await this.#restore();
      return work(this.#held.handle);
    }
  }

  /** Once for all commands that ran into the same loss. */
  async #restore(): Promise<void> {
    if (!this.#isLost) return;
    this.#replacing ??= this.#replace().finally(() => {
      this.#replacing = undefined;
    });
    await this.#replacing;
  }

  /** By the same one, if it can be reached again, else by a new one; its notices say which. */
  async #replace(): Promise<void> {
    const { sandboxes, session, request } = this.#parts;
    await sandboxes.shake(session, this.#held);
    this.#held = await sandboxes.hold(session, request);
    this.#isLost = false;
    this.#notices.push(...this.#held.notices);
  }

  /** Nobody waits for an outcome to be written down: that the command ran stands there already. */
  #recordSoon(command: string, outcome: string): void {
    const recording = this.#record(command, outcome).finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  #record(command: string, outcome: string): Promise<void> {
    const { world } = this.#parts;
    return this.#noted('This command could not be recorded in the audit', () =>
      world.store.audit.append(this.#auditEntry(command, outcome)),
    );
  }

  /** A call whose beginning cannot be written down does not begin: after a crash it would be run again (P10). */
  async #recordStart(command: string, call: CallRef | undefined): Promise<void> {
    if (!call) return this.#record(command, 'started');
    const entry = this.#auditEntry(command, 'started');
    await this.#parts.world.store.together(async ({ audit, begunCalls }) => {
      await begunCalls.mark(call);
      await audit.append(entry);
    });
  }

  #auditEntry(command: string, outcome: string): NewAuditEntry {
    const { session, request } = this.#parts;
    return {
      ...{ actor: request.actor, sessionId: session.id, sandboxId: this.#held.id },
      ...{ action: 'command', subject: command, outcome },
    };
  }

  /** What cannot be written down changes nothing about what has run; whoever asked is told. */
  async #noted(what: string, write: () => Promise<unknown>): Promise<void> {
    const { world } = this.#parts;
    try {
      await write();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      world.log.error({ sandbox: this.#held.id, error: reason }, what);
      const notice = `${what}: ${reason}`;
      if (!this.#notices.includes(notice)) this.#notices.push(notice);
    }
  }
}
