// The keys of a terminal for the editor of lines: with pastes taken whole, and without failing when the terminal is gone.
import { type Readable, Transform } from 'node:stream';
import { systemErrorCode } from '../base/errors.ts';
import { PasteReader } from './paste.ts';

interface Terminal extends Readable {
  setRawMode?(mode: boolean): unknown;
}

/** What a terminal answers once it was closed. */
const CLOSED = new Set(['EIO', 'EBADF', 'ENOTTY']);

export class TerminalKeys extends Transform {
  readonly #terminal: Terminal;
  readonly #pastes = new PasteReader();

  constructor(terminal: Terminal) {
    super({
      transform: (chunk, _encoding, done) => done(null, this.#pastes.push(chunk)),
    });
    this.#terminal = terminal;
    terminal.on('error', this.#onError);
    terminal.pipe(this);
  }

  /** The editor calls it; a terminal that is gone has no mode. */
  setRawMode(mode: boolean): this {
    try {
      this.#terminal.setRawMode?.(mode);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
    return this;
  }

  /** Lets go of the terminal, so that it keeps no process alive. */
  release(): void {
    this.#terminal.unpipe(this);
    this.#terminal.pause();
  }

  /** A terminal that was closed is the end of the input, and no failure. */
  readonly #onError = (error: Error): void => {
    if (isClosed(error)) this.end();
    else this.destroy(error);
  };
}

function isClosed(error: unknown): boolean {
  return CLOSED.has(systemErrorCode(error) ?? '');
}
