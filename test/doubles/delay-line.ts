// A way that takes its time: what goes in first comes out first, each after the delay that holds when it goes in.

export class DelayLine {
  readonly #latencyMs: () => number;
  readonly #waiting: { readonly due: number; readonly work: () => void }[] = [];

  constructor(latencyMs: () => number) {
    this.#latencyMs = latencyMs;
  }

  push(work: () => void): void {
    const latencyMs = this.#latencyMs();
    if (latencyMs === 0 && this.#waiting.length === 0) work();
    else {
      this.#waiting.push({ due: performance.now() + latencyMs, work });
      if (this.#waiting.length === 1) this.#wait();
    }
  }

  #wait(): void {
    const [first] = this.#waiting;
    if (first) setTimeout(() => this.#pass(), first.due - performance.now());
  }

  #pass(): void {
    while (this.#waiting[0] && this.#waiting[0].due <= performance.now() + 1) {
      this.#waiting[0].work();
      this.#waiting.shift();
    }
    this.#wait();
  }
}
