// How much work a text may be. Searching costs steps, and each character earns some: whatever a text consists of, the
// work for it is bounded by its length. Where the steps run out, text is withheld instead of searched.

/** Enough for some 30 KiB of nothing but secret settings, each with another name. A step is about a nanosecond. */
const CREDIT = 2_500_000;
/** Per character, and about what plain text costs besides; sources, logs and pages mostly need less than half of it. */
const EARNED = 6;

export class Meter {
  #left: number;

  constructor(left = CREDIT) {
    this.#left = left;
  }

  get left(): number {
    return this.#left;
  }

  /** One with as many steps left, for a search that may have to be made again. */
  copy(): Meter {
    return new Meter(this.#left);
  }

  spend(steps: number): void {
    this.#left -= steps;
  }

  earn(characters: number): void {
    this.#left = Math.min(CREDIT, this.#left + characters * EARNED);
  }

  get isEmpty(): boolean {
    return this.#left < 0;
  }
}
