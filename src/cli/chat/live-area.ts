// The end of what a terminal shows, which may still change: an answer that is being written, a tool that runs.

export interface TerminalSize {
  readonly rows: number;
}

export interface LiveAreaParts {
  readonly write: (text: string) => void;
  readonly size: () => TerminalSize;
}

export class LiveArea {
  readonly #parts: LiveAreaParts;
  #live: readonly string[] = [];

  constructor(parts: LiveAreaParts) {
    this.#parts = parts;
  }

  /** `kept` is printed for good, `live` below it until the next call. No line is wider than the terminal. */
  show(kept: readonly string[], live: readonly string[]): void {
    const { write, size } = this.#parts;
    const all = [...kept, ...live];
    const same = this.#live.findIndex((line, at) => line !== all[at]);
    const unchanged = same === -1 ? this.#live.length : same;
    // What has left the screen cannot be written again.
    const from = Math.max(unchanged, this.#live.length - (size().rows - 1));
    const up = this.#live.length - from;
    const back = up > 0 ? `\x1b[${up}A\r\x1b[J` : '';
    const lines = all.slice(from).map(line => `${line}\n`);
    if (back !== '' || lines.length > 0) write(back + lines.join(''));
    this.#live = live;
  }
}
