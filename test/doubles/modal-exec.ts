// One process that was started in a sandbox of the Modal double: its input by offset, its output kept so that a stream
// that broke off can be read again from where it was.
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { untilTaken } from '../../src/backends/until-taken.ts';
import type { Child } from './modal-container.ts';

/** What is held for a reader that does not come; more waits in the process's own pipe. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** What was read already and may be asked for again. */
const BEHIND_BYTES = 4 * 1024 * 1024;
const MOST_AT_ONCE = 512 * 1024;
const MOST_PIECES = 64;

export interface ExecEnd {
  readonly code?: number;
  readonly signal?: number;
}

export class Exec {
  readonly output: Readonly<Record<'stdout' | 'stderr', Output>>;
  readonly exit: Promise<ExecEnd>;
  readonly #child: Child;
  #taken = 0;

  constructor(child: Child) {
    this.#child = child;
    this.output = { stdout: new Output(child.stdout), stderr: new Output(child.stderr) };
    this.exit = once(child, 'exit').then(([code, signal]) =>
      typeof signal === 'string'
        ? { signal: constants.signals[signal as keyof typeof constants.signals] } // Node's own names
        : { code: Number(code) },
    );
  }

  /** Bytes that came before, because an answer was lost, are passed over. */
  async write(offset: number, data: Uint8Array, eof: boolean): Promise<void> {
    const { stdin } = this.#child;
    const fresh = data.subarray(Math.max(0, this.#taken - offset));
    this.#taken += fresh.length;
    if (fresh.length > 0 && stdin.writable && !stdin.write(fresh)) await untilTaken(stdin);
    if (eof) stdin.end();
  }
}

class Output {
  readonly #source: Readable;
  #kept: Buffer[] = [];
  /** Offset of the first byte that is kept, and of the next one to come. */
  #first = 0;
  #next = 0;
  #read = 0;
  #isEnded = false;
  readonly #changed = new EventTarget();

  constructor(source: Readable) {
    this.#source = source;
    source.on('data', (data: Buffer) => {
      this.#kept.push(data);
      this.#next += data.length;
      if (this.#next - this.#read > AHEAD_BYTES) source.pause();
      this.#changed.dispatchEvent(new Event('change'));
    });
    source.once('close', () => {
      this.#isEnded = true;
      this.#changed.dispatchEvent(new Event('change'));
    });
  }

  async *from(offset: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    let at = offset;
    while (!signal.aborted) {
      const piece = this.#piece(at);
      if (piece.length > 0) {
        yield piece;
        at += piece.length;
        this.#forget(at);
      } else if (this.#isEnded) return;
      else await this.#change(signal);
    }
  }

  /** Looked for from the end: who reads is seldom far behind. */
  #piece(offset: number): Buffer {
    const pieces: Buffer[] = [];
    let [index, start, size] = [this.#kept.length, this.#next, 0];
    while (index > 0 && start > offset) start -= this.#kept[--index]?.length ?? 0;
    for (const chunk of this.#kept.slice(index, index + MOST_PIECES)) {
      const from = Math.max(0, offset - start);
      start += chunk.length;
      if (from >= chunk.length) continue;
      pieces.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size >= MOST_AT_ONCE) break;
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  #forget(read: number): void {
    this.#read = Math.max(this.#read, read);
    for (let [oldest] = this.#kept; oldest && this.#first + oldest.length < this.#read - BEHIND_BYTES; ) {
      this.#first += oldest.length;
      this.#kept.shift();
      [oldest] = this.#kept;
    }
    if (this.#source.isPaused()) this.#source.resume();
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = (): void => resolve();
    this.#changed.addEventListener('change', done, { once: true });
    signal.addEventListener('abort', done, { once: true });
    await promise;
    this.#changed.removeEventListener('change', done);
    signal.removeEventListener('abort', done);
  }
}
