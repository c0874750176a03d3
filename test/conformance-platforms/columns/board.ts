// What people see of a chat that is spoken in frames: messages as they are now, signs and answers, and waiting for them.
import type { Place, Seen } from '../column.ts';

export class Board {
  readonly #messages = new Map<Place, Seen[]>();
  readonly #signs: string[] = [];
  readonly #watchers = new Set<() => void>();

  seen(place: Place = 'private'): readonly Seen[] {
    return this.#messages.get(place) ?? [];
  }

  add(place: Place, message: Seen): void {
    this.#messages.set(place, [...this.seen(place), message]);
    this.#changed();
  }

  change(place: Place, id: string, change: (message: Seen) => Partial<Seen>): void {
    const messages = this.seen(place).map(each => (each.id === id ? { ...each, ...change(each) } : each));
    this.#messages.set(place, messages);
    this.#changed();
  }

  /** Such as `typing private`; seen once, seen for ever. */
  sign(text: string): void {
    this.#signs.push(text);
    this.#changed();
  }

  async whenSign(text: string): Promise<void> {
    await this.when(() => this.#signs.includes(text) || undefined);
  }

  whenSeen(holds: (message: Seen) => boolean, place?: Place): Promise<Seen> {
    return this.when(() => this.seen(place).find(holds));
  }

  when<T>(look: () => T | undefined): Promise<T> {
    return new Promise(resolve => {
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        this.#watchers.delete(check);
        resolve(found);
      };
      this.#watchers.add(check);
      check();
    });
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
