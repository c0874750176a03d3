// How far Discord's stream of events is taken in: everything up to the acknowledged number is stored, so that a connection
// that is resumed from there loses nothing (P12).

/** Repeats of what is further back are not known any more. */
const MEMORY = 5000;

export class Sequence {
  readonly #open = new Set<number>();
  readonly #seen = new Set<number>();
  #highest: number;

  /** `start`: everything up to it is taken in. */
  constructor(start: number) {
    this.#highest = start;
  }

  /** False when it came before: it is being taken in, or was. */
  begin(number: number): boolean {
    if (this.#seen.has(number)) return false;
    this.#seen.add(number);
    this.#open.add(number);
    this.#highest = Math.max(this.#highest, number);
    const [oldest] = this.#seen;
    if (this.#seen.size > MEMORY && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  end(number: number): void {
    this.#open.delete(number);
  }

  get acknowledged(): number {
    const [first] = this.#open;
    if (first === undefined) return this.#highest;
    return Math.min(...this.#open) - 1;
  }

  get waiting(): number {
    return this.#open.size;
  }
}
