// What the editor of lines writes to: the terminal, but for what is typed in secret.
import { Writable } from 'node:stream';

export class QuietOutput extends Writable {
  #isQuiet = false;
  readonly #terminal: NodeJS.WriteStream;
  readonly #resized = (): void => void this.emit('resize');

  constructor(terminal: NodeJS.WriteStream) {
    super({
      write: (chunk, encoding, done) => {
        if (!this.#isQuiet) terminal.write(chunk, encoding);
        done();
      },
    });
    this.#terminal = terminal;
    terminal.on('resize', this.#resized);
  }

  /** The editor asks for it. */
  get columns(): number {
    return this.#terminal.columns;
  }

  /** Shows the question and nothing of what is typed then, until `show`. */
  hide(question: string): void {
    this.#terminal.write(question);
    this.#isQuiet = true;
  }

  show(): void {
    if (!this.#isQuiet) return;
    this.#isQuiet = false;
    this.#terminal.write('\n');
  }

  release(): void {
    this.#terminal.off('resize', this.#resized);
  }
}
