// How many requests with a body are under way, of each person and in all: whoever begins many is refused before the first byte.

const MOST_OF_ONE = 8;
const MOST_OF_ALL = 64;

export class Turnstile {
  readonly #inside = new Map<string, number>();
  #all = 0;

  /** Lets somebody in until the returned function is called; undefined when there are too many already. */
  enter(person: string): (() => void) | undefined {
    const own = this.#inside.get(person) ?? 0;
    if (own >= MOST_OF_ONE || this.#all >= MOST_OF_ALL) return undefined;
    this.#inside.set(person, own + 1);
    this.#all++;
    return () => this.#leave(person);
  }

  #leave(person: string): void {
    const left = (this.#inside.get(person) ?? 1) - 1;
    if (left === 0) this.#inside.delete(person);
    else this.#inside.set(person, left);
    this.#all--;
  }
}
