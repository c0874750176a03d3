// A process in a running container: an exec of the engine as a SandboxProcess.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { type Clock, sleep } from '../../base/clock.ts';
import type { ProcessExit, SandboxProcess } from '../backend.ts';
import { containerAnswer, execAnswer, idAnswer } from './answers.ts';
import { Demultiplexer } from './demultiplexer.ts';
import { type Engine, EngineFault, EngineUnreachable, isFault } from './engine.ts';
import { NEW_HOME } from './plan.ts';

export interface ExecOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly container: string;
  readonly argv: readonly string[];
  readonly workdir: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs before the program: says that it is there, and under which number in the container, because the engine cannot
 * kill an exec and tells no number that would mean anything inside. A user whom the image does not know gets a home.
 */
const PRELUDE = `command -v "$1" >/dev/null 2>&1 || exit 127
[ "$HOME" != / ] || [ ! -d ${NEW_HOME} ] || export HOME=${NEW_HOME}
printf '%s\\n' "$$"
exec "$@"`;

/** A process whose input has ended often ends by itself. */
const KILL_GRACE_MS = 40;
const LONGEST_POLL_MS = 1_000;

/** The prelude did not get to its first word. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  /** Undefined when the engine does not know any more. */
  readonly exitCode: number | undefined;

  constructor(exitCode: number | undefined, output: string) {
    super(output.trim());
    this.exitCode = exitCode;
  }
}

/** Throws EngineFault, EngineUnreachable or NotStarted. */
export async function startExec(options: ExecOptions): Promise<SandboxProcess> {
  const { engine, container, argv, workdir, signal } = options;
  const { Id: id } = idAnswer.parse(
    await engine.json({
      method: 'POST',
      path: `/containers/${container}/exec`,
      signal,
      json: {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
        WorkingDir: workdir,
        Cmd: ['/bin/sh', '-c', PRELUDE, 'hermes', ...argv],
      },
    }),
  );
  const stream = await engine.hijack(`/exec/${id}/start`, { Detach: false, Tty: false }, signal);
  const process = new ExecProcess(id, stream.socket, options);
  await process.begin(stream.head);
  return process;
}

type Listener = Parameters<SandboxProcess['onOutput']>[0];

class ExecProcess implements SandboxProcess {
  readonly exit: Promise<ProcessExit>;
  readonly #id: string;
  readonly #socket: Socket;
  readonly #options: ExecOptions;
  readonly #output: Demultiplexer;
  readonly #closed: Promise<unknown>;
  #early: Parameters<Listener>[] = [];
  #listener: Listener | undefined;
  #greeting: Buffer | undefined = Buffer.alloc(0);
  #onGreeting: () => void = () => {};
  #pid = '';
  #isOver = false;
  #isKilled = false;
  /** The engine itself has ended the stream, as it does when the process is through with its output. */
  #hasEnded = false;

  constructor(id: string, socket: Socket, options: ExecOptions) {
    this.#id = id;
    this.#socket = socket;
    this.#options = options;
    this.#output = new Demultiplexer((stream, data) => this.#receive(stream, data));
    this.#closed = new Promise(resolve => socket.once('close', resolve));
    // A broken connection shows as its close; nobody has to hear of it twice.
    socket.on('error', () => socket.destroy());
    socket.once('end', () => {
      this.#hasEnded = true;
    });
    socket.on('data', (data: Buffer) => this.#output.push(data));
    this.exit = this.#closed.then(async () => {
      this.#isOver = true;
      return this.#howItEnded();
    });
  }

  /** Resolves when the program runs; what it writes from then on waits for a listener. */
  async begin(head: Buffer): Promise<void> {
    const greeted = new Promise<void>(resolve => {
      this.#onGreeting = resolve;
    });
    if (head.length > 0) this.#output.push(head);
    const { signal } = this.#options;
    const onAbort = (): void => void this.#socket.destroy();
    signal?.addEventListener('abort', onAbort, { once: true });
    await Promise.race([greeted, this.#closed]);
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (this.#greeting === undefined) return;
    const exit = await this.exit;
    const said = Buffer.concat([this.#greeting, ...this.#early.map(([, data]) => data)]).toString('utf8');
    throw new NotStarted('code' in exit ? exit.code : undefined, 'lost' in exit ? exit.lost : said);
  }

  async write(data: Uint8Array): Promise<void> {
    if (this.#isOver || !this.#socket.writable || this.#socket.write(data)) return;
    const settled = new AbortController();
    await Promise.race([once(this.#socket, 'drain', { signal: settled.signal }), this.#closed]).finally(() =>
      settled.abort(),
    );
  }

  end(): void {
    this.#socket.end();
  }

  onOutput(listener: Listener): void {
    this.#listener = listener;
    for (const [stream, data] of this.#early.splice(0)) listener(stream, data);
    this.#socket.resume();
  }

  kill(): void {
    if (this.#isOver || this.#isKilled) return;
    this.#isKilled = true;
    this.#socket.end();
    this.#socket.resume();
    void this.#killFromInside();
  }

  #receive(stream: 'stdout' | 'stderr', data: Uint8Array): void {
    if (this.#greeting !== undefined && stream === 'stdout') {
      const rest = this.#takeGreeting(data);
      if (rest.length > 0) this.#receive(stream, rest);
    } else if (this.#listener) {
      const taken = this.#listener(stream, data);
      if (!(taken instanceof Promise)) return;
      this.#socket.pause();
      void taken.finally(() => this.#socket.resume());
    } else {
      this.#early.push([stream, data]);
      // Nobody listens yet: what the engine still has may wait there.
      if (this.#greeting === undefined) this.#socket.pause();
    }
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
    this.#onGreeting();
    return greeting.subarray(end + 1);
  }

  /** Ends it by another exec; if even that cannot be, the connection goes and what becomes of it is unknown. */
  async #killFromInside(): Promise<void> {
    const { engine, clock, container } = this.#options;
    try {
      await Promise.race([this.#closed, sleep(clock, KILL_GRACE_MS)]);
      if (this.#isOver) return;
      const json = { AttachStdout: false, Cmd: ['/bin/sh', '-c', 'kill -9 "$1"', 'hermes', this.#pid] };
      const path = `/containers/${container}/exec`;
      const { Id } = idAnswer.parse(await engine.json({ method: 'POST', path, json }));
      await engine.json({ method: 'POST', path: `/exec/${Id}/start`, json: { Detach: true } });
      await this.#whenEnded();
    } catch (error) {
      if (!(error instanceof EngineFault || error instanceof EngineUnreachable)) throw error;
    } finally {
      // What it has started may hold its output for ever.
      this.#socket.destroy();
    }
  }

  /** The engine's word on it, once it has ended. */
  async #whenEnded(): Promise<number> {
    const { engine, clock } = this.#options;
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS)) {
      const answer = execAnswer.parse(await engine.json({ method: 'GET', path: `/exec/${this.#id}/json` }));
      if (!answer.Running) return answer.ExitCode ?? 0;
      if (this.#isOver && !this.#hasEnded) throw new EngineFault(502, 'the connection to it broke');
      await sleep(clock, pauseMs);
    }
  }

  async #howItEnded(): Promise<ProcessExit> {
    const { engine, container } = this.#options;
    try {
      const code = await this.#whenEnded();
      if (code <= 128) return { code };
      // Its end may have been the container's.
      const path = `/containers/${container}/json`;
      const { State } = containerAnswer.parse(await engine.json({ method: 'GET', path }));
      if (!State.Running) return { lost: 'its container has stopped' };
      return asSignal(code);
    } catch (error) {
      if (isFault(error, 404)) return { lost: 'its container is gone' };
      if (error instanceof EngineUnreachable) return { lost: 'the Docker engine does not answer' };
      return { lost: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** The engine tells a death by signal as 128 and the signal's number, and nothing to know it from such an exit by. */
function asSignal(code: number): ProcessExit {
  const known = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return known ? { signal: known[0] } : { code };
}
