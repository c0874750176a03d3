// A process in a sandbox: an exec of the service as a SandboxProcess. The service kills no exec, and tells no number of it
// that would mean anything inside; so a prelude tells the number, and another exec kills.
import type { ContainerProcess } from 'modal';
import { type Clock, sleep } from '../../base/clock.ts';
import type { OutputListener, ProcessExit, SandboxProcess } from '../backend.ts';
import { InputQueue } from './input-queue.ts';

export interface ProcessParts {
  readonly process: ContainerProcess<Uint8Array>;
  readonly clock: Clock;
  /** Resolves with the reason when the sandbox is gone, or nobody listens to it any more. */
  readonly lost: Promise<string>;
  /** By its number in the sandbox; never rejects. */
  readonly killInside: (pid: string) => Promise<void>;
}

/** What it has started may hold its output for ever; its own is long through by then. */
const QUIET_MS = 300;
/** A process whose input has ended often ends by itself. */
const KILL_GRACE_MS = 40;
/** A kill that was sent has its effect by then. */
const KILL_MS = 5_000;

/** The prelude did not get to its first word. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  readonly exit: ProcessExit;

  constructor(exit: ProcessExit, said: string) {
    super(said.trim());
    this.exit = exit;
  }
}

type Piece = Parameters<OutputListener>;

export class ModalProcess implements SandboxProcess {
  readonly exit: Promise<ProcessExit>;
  readonly #parts: ProcessParts;
  readonly #input: InputQueue;
  readonly #ended = new AbortController();
  readonly #early: Piece[] = [];
  readonly #listening = Promise.withResolvers<OutputListener>();
  #listener: OutputListener | undefined;
  #greeting: Buffer | undefined = Buffer.alloc(0);
  readonly #greeted = Promise.withResolvers<void>();
  #pid = '';
  #isKilled = false;
  #heardAt: number;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#heardAt = parts.clock.monotonic();
    this.#input = new InputQueue(parts.process.stdin);
    this.exit = this.#follow();
  }

  /** Resolves when the program runs. Throws NotStarted. */
  async begin(signal?: AbortSignal): Promise<void> {
    const onAbort = (): void => this.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#greeted.promise, this.exit]);
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (this.#greeting === undefined) return;
    const said = Buffer.concat([this.#greeting, ...this.#early.map(([, data]) => data)]).toString();
    throw new NotStarted(await this.exit, said);
  }

  write(data: Uint8Array): Promise<void> {
    return this.#input.write(data);
  }

  end(): void {
    this.#input.end();
  }

  onOutput(listener: OutputListener): void {
    this.#listener = listener;
    for (const piece of this.#early.splice(0)) void listener(...piece);
    this.#listening.resolve(listener);
  }

  kill(): void {
    if (this.#isKilled || this.#ended.signal.aborted) return;
    this.#isKilled = true;
    this.#input.end();
    // What nobody listens to must not hold it.
    this.#listening.resolve(() => undefined);
    void this.#kill();
  }

  async #kill(): Promise<void> {
    const { clock, killInside } = this.#parts;
    await Promise.race([this.exit, sleep(clock, KILL_GRACE_MS)]);
    if (this.#ended.signal.aborted) return;
    if (this.#pid !== '') await killInside(this.#pid);
    await Promise.race([this.exit, sleep(clock, KILL_MS)]);
    this.#ended.abort();
  }

  async #follow(): Promise<ProcessExit> {
    const { process, lost } = this.#parts;
    const streams = [this.#read('stdout'), this.#read('stderr')];
    const output = Promise.all(streams);
    const code = process._wait(this.#ended.signal).then(
      (value): ProcessExit => ({ code: value }),
      (error: unknown): ProcessExit => ({ lost: reasonOf(error) }),
    );
    const exit = await Promise.race([
      code,
      lost.then((reason): ProcessExit => ({ lost: reason })),
      output.then(async (ends): Promise<ProcessExit> => {
        const broken = ends.find(end => end !== undefined);
        return broken === undefined ? code : { lost: broken };
      }),
      this.#given(),
    ]);
    if ('code' in exit) await Promise.race([output, this.#quiet()]);
    this.#ended.abort();
    this.#input.close();
    return exit;
  }

  /** It was given up: killed, and not heard of since. */
  async #given(): Promise<ProcessExit> {
    await new Promise(resolve => this.#ended.signal.addEventListener('abort', resolve, { once: true }));
    return { signal: 'SIGKILL' };
  }

  /** Undefined when the stream came to its end, else why it broke off. */
  async #read(stream: 'stdout' | 'stderr'): Promise<string | undefined> {
    const reader = this.#parts.process[stream].getReader();
    const stop = (): void => void Promise.allSettled([reader.cancel()]);
    this.#ended.signal.addEventListener('abort', stop, { once: true });
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        this.#heardAt = this.#parts.clock.monotonic();
        await this.#receive(stream, next.value);
      }
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  async #receive(stream: 'stdout' | 'stderr', data: Uint8Array): Promise<void> {
    const rest = stream === 'stdout' && this.#greeting !== undefined ? this.#takeGreeting(data) : data;
    if (rest.length === 0) return;
    if (this.#listener) return void (await this.#listener(stream, rest));
    this.#early.push([stream, rest]);
    // What is still with the service may wait there.
    if (this.#greeting === undefined) await this.#listening.promise;
  }

  /** What follows the greeting in this piece. */
  #takeGreeting(data: Uint8Array): Uint8Array {
    const greeting = Buffer.concat([this.#greeting ?? Buffer.alloc(0), data]);
    const end = greeting.indexOf(10);
    const pid = greeting.toString('latin1', 0, end);
    if (end < 0 || !/^\d+$/.test(pid)) {
      this.#greeting = greeting;
      return new Uint8Array();
    }
    this.#pid = pid;
    this.#greeting = undefined;
    this.#greeted.resolve();
    return greeting.subarray(end + 1);
  }

  async #quiet(): Promise<void> {
    const { clock } = this.#parts;
    for (let left = QUIET_MS; left > 0; left = this.#heardAt + QUIET_MS - clock.monotonic()) {
      await sleep(clock, left);
    }
  }
}

function reasonOf(error: unknown): string {
  return `the connection to it was lost: ${error instanceof Error ? error.message : String(error)}`;
}
