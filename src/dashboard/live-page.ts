// One live socket of one person at a page: what it watches, and the lines of its terminal.
import type { WebSocket } from 'ws';
import { type Clock, sleep, type Timer } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Visitor } from '../platforms/platform.ts';
import { type LiveFrame, type PageFrame, parsePageFrame, type Watched } from './live-frames.ts';
import type { StepBook, StepViewer } from './steps.ts';
import { runLine, type TerminalParts } from './terminal.ts';
import { actorOf, type Standing, standingOf } from './visitors.ts';

export interface LiveParts extends TerminalParts {
  readonly steps: StepBook;
  readonly log: Log;
  readonly clock: Clock;
  /** It has begun to watch these. */
  readonly onWatch: (page: LivePage, topics: readonly Watched[]) => void;
}

const PING_MS = 30_000;
/** How long somebody may go on listening to what they may not know any more. */
const STANDING_MS = 2000;
/** Bytes that wait for a slow reader. */
const MOST_BUFFERED = 16 * 1024 * 1024;
const TERMINAL_BUFFERED = 512 * 1024;
const LOOK_MS = 20;
const MOST_LINES = 4;
const POLICY_VIOLATION = 1008;

export class LivePage implements StepViewer {
  readonly platform: string;
  chat = '';
  readonly #socket: WebSocket;
  readonly #visitor: Visitor;
  readonly #parts: LiveParts;
  readonly #lines = new Map<string, AbortController>();
  #topics = new Set<Watched>();
  #isAlive = true;
  #timer: Timer;
  #standingTimer: Timer;
  #standing: Standing | undefined;

  constructor(socket: WebSocket, visitor: Visitor, parts: LiveParts) {
    this.platform = visitor.platform;
    this.#socket = socket;
    this.#visitor = visitor;
    this.#parts = parts;
    this.#timer = parts.clock.after(PING_MS, () => this.#ping());
    this.#standingTimer = parts.clock.after(STANDING_MS, () => this.#lookAgain());
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? undefined : parsePageFrame(String(data));
      if (!frame) return socket.close(POLICY_VIOLATION, 'no frame of this page');
      this.#take(frame).catch(error => {
        parts.log.error({ err: error }, 'a frame of a page failed');
        socket.close(POLICY_VIOLATION, 'internal error');
      });
    });
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('error', error => parts.log.debug({ err: error }, 'a live socket broke'));
    socket.on('close', () => this.#left());
  }

  watches(topic: Watched): boolean {
    return this.#topics.has(topic);
  }

  show(frame: LiveFrame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_BUFFERED) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(frame));
  }

  /** The gateway stops; the page comes back later. */
  leave(): void {
    this.#socket.close(1001, 'the gateway stops');
  }

  async #take(frame: PageFrame): Promise<void> {
    // Asked each time: a role can be taken away while the page is open.
    const standing = await standingOf(this.#parts.world.store, this.#visitor);
    if (standing === 'denied') return this.#socket.close(POLICY_VIOLATION, 'denied');
    this.#standing ??= standing;
    if (frame.type === 'watch') return this.#watch(frame, standing);
    if (frame.type === 'stop-line') return this.#lines.get(frame.id)?.abort();
    if (standing !== 'owner') return this.#socket.close(POLICY_VIOLATION, 'for owners');
    await this.#line(frame);
  }

  #watch({ topics, chat }: Extract<PageFrame, { type: 'watch' }>, standing: Standing): void {
    const { steps, onWatch } = this.#parts;
    const before = this.#topics;
    this.#topics = new Set(standing === 'owner' ? topics : []);
    onWatch(
      this,
      [...this.#topics].filter(topic => !before.has(topic)),
    );
    const id = chat === undefined ? undefined : this.#visitor.chatId(chat);
    if (id === undefined) {
      steps.viewers.delete(this);
      this.chat = '';
    } else if (id !== this.chat) {
      this.chat = id;
      this.show({ type: 'runs', runs: steps.runsOf(this) });
      steps.viewers.add(this);
    }
  }

  async #line({ id, sandbox, command, cwd }: Extract<PageFrame, { type: 'line' }>): Promise<void> {
    if (this.#lines.has(id) || this.#lines.size >= MOST_LINES) return;
    const abort = new AbortController();
    this.#lines.set(id, abort);
    const line = { sandbox, command, actor: actorOf(this.#visitor), ...(cwd === undefined ? {} : { cwd }) };
    try {
      const end = await runLine(this.#parts, {
        ...line,
        signal: abort.signal,
        onOutput: text => this.#print(id, text),
      });
      this.show({ type: 'line-end', id, ...end });
    } catch (error) {
      const { code, message } = asHermesError(error);
      this.show({ type: 'line-end', id, error: { code, message: this.#parts.world.redact(message) } });
    } finally {
      this.#lines.delete(id);
    }
  }

  /** A page that cannot follow holds up the command, and not the gateway. */
  async #print(id: string, text: string): Promise<void> {
    this.show({ type: 'line-output', id, text });
    while (this.#socket.bufferedAmount > TERMINAL_BUFFERED && this.#socket.readyState === this.#socket.OPEN)
      await sleep(this.#parts.clock, LOOK_MS);
  }

  #ping(): void {
    if (!this.#isAlive) this.#socket.terminate();
    this.#isAlive = false;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.ping();
    this.#timer = this.#parts.clock.after(PING_MS, () => this.#ping());
  }

  /** Who only listens sends nothing, and is asked about too. The page comes back as what its person is now. */
  #lookAgain(): void {
    standingOf(this.#parts.world.store, this.#visitor)
      .then(standing => {
        if (standing !== (this.#standing ?? standing))
          this.#socket.close(POLICY_VIOLATION, 'another standing');
        if (this.#socket.readyState !== this.#socket.OPEN) return;
        this.#standingTimer = this.#parts.clock.after(STANDING_MS, () => this.#lookAgain());
      })
      .catch(error => {
        this.#parts.log.error({ err: error }, 'a page was not looked after');
        this.#socket.close(POLICY_VIOLATION, 'internal error');
      });
  }

  #left(): void {
    this.#timer.cancel();
    this.#standingTimer.cancel();
    this.#topics.clear();
    this.#parts.steps.viewers.delete(this);
    for (const line of this.#lines.values()) line.abort();
  }
}
