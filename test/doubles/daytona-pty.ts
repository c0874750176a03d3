// The terminals of a sandbox of the Daytona double, with the manners of the real toolbox (daytonaio/daytona,
// apps/daemon/pkg/toolbox/process/pty: session.go, websocket.go): an interactive login shell, echo and all; a reader who falls
// behind by 256 reads is dropped; with the shell's end what was not sent yet is lost; and the deletion of a session kills every
// descendant of its shell, not only the shell.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { WebSocket } from 'ws';
import type { CloudMachine } from './cloud-machine.ts';
import { DelayLine } from './delay-line.ts';
import { killTree } from './process-tree.ts';

export interface PtyRequest {
  readonly id: string;
  readonly envs: Readonly<Record<string, string>>;
  readonly lazyStart: boolean;
}

/** What is read from a terminal at once. */
const READ_BYTES = 4095;
const MOST_WAITING = 256;
const SLOW = 1008;

export class DaytonaPtys {
  readonly #machine: CloudMachine;
  readonly #shell: readonly [string, ...string[]];
  readonly #latencyMs: () => number;
  readonly #sessions = new Map<string, PtySession>();

  constructor(
    machine: CloudMachine,
    options: { shell: readonly [string, ...string[]]; latencyMs: () => number },
  ) {
    this.#machine = machine;
    this.#shell = options.shell;
    this.#latencyMs = options.latencyMs;
  }

  get ids(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  create(request: PtyRequest): void {
    const start = (): ChildProcessWithoutNullStreams =>
      this.#machine.exec(this.#shell, { pty: true, env: { TERM: 'xterm', ...request.envs } });
    const session = new PtySession({
      start,
      latencyMs: this.#latencyMs,
      onEnd: () => this.#sessions.delete(request.id),
    });
    this.#sessions.set(request.id, session);
    if (!request.lazyStart) session.start();
  }

  /** False when there is none. */
  delete(id: string): boolean {
    const session = this.#sessions.get(id);
    session?.end();
    return this.#sessions.delete(id);
  }

  connect(id: string, socket: WebSocket): void {
    const session = this.#sessions.get(id);
    if (session) session.connect(socket);
    else {
      socket.send(JSON.stringify({ type: 'control', status: 'error', error: 'PTY session not found' }));
      socket.close();
    }
  }

  /** The connections break; the shells go on. */
  cut(): void {
    for (const session of this.#sessions.values()) session.cut();
  }

  endAll(): void {
    for (const id of this.ids) this.delete(id);
  }
}

interface SessionOptions {
  readonly start: () => ChildProcessWithoutNullStreams;
  readonly latencyMs: () => number;
  readonly onEnd: () => void;
}

class PtySession {
  readonly #options: SessionOptions;
  readonly #clients = new Set<WebSocket>();
  readonly #in: DelayLine;
  readonly #out: DelayLine;
  #child: ChildProcessWithoutNullStreams | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#in = new DelayLine(options.latencyMs);
    this.#out = new DelayLine(options.latencyMs);
  }

  start(): void {
    const child = this.#options.start();
    this.#child = child;
    const waiting = new WeakMap<WebSocket, number>();
    child.stdout.on('data', (data: Buffer) => {
      for (const client of this.#clients) {
        const reads = Math.ceil(data.length / READ_BYTES);
        const count = (waiting.get(client) ?? 0) + reads;
        waiting.set(client, count);
        const sent = (): unknown => waiting.set(client, (waiting.get(client) ?? 0) - reads);
        if (count > MOST_WAITING) client.close(SLOW, 'slow consumer');
        else this.#out.push(() => client.send(data, { binary: true }, sent));
      }
    });
    child.once('exit', code => {
      const exitCode = code ?? 137;
      const reason = JSON.stringify({ exitCode });
      this.#out.push(() => {
        for (const client of this.#clients) client.close(exitCode === 0 ? 1000 : 1011, reason);
      });
      this.#options.onEnd();
    });
  }

  connect(socket: WebSocket): void {
    if (!this.#child) this.start();
    const child = this.#child;
    this.#clients.add(socket);
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: Buffer) =>
      this.#in.push(() => {
        if (!child?.stdin.writable || child.stdin.write(data)) return;
        socket.pause();
        child.stdin.once('drain', () => socket.resume());
      }),
    );
    this.#out.push(() => socket.send(JSON.stringify({ type: 'control', status: 'connected' })));
  }

  cut(): void {
    for (const client of this.#clients) client.terminate();
  }

  end(): void {
    if (this.#child?.pid !== undefined) killTree(this.#child.pid);
    const reason = JSON.stringify({ exitCode: 137, exitReason: 'SIGKILL' });
    for (const client of this.#clients) client.close(1011, reason);
  }
}
