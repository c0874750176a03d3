// Waiting in a double for something to be there, with an end.
import { PATIENCE_MS } from '../wait.ts';

export interface Wait<T> {
  /** Undefined as long as it is not there. */
  readonly look: () => T | undefined;
  /** Each is called whenever there may be something new to see. */
  readonly watchers: readonly Set<() => void>[];
  readonly timeoutMs?: number;
  /** What is said when it does not come. */
  readonly missing: () => string;
}

export function waitFor<T>({ look, watchers, timeoutMs = PATIENCE_MS, missing }: Wait<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const each of watchers) each.delete(check);
    };
    const check = (): void => {
      const found = look();
      if (found === undefined) return;
      end();
      resolve(found);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`${missing()} (after ${timeoutMs} ms)`));
    }, timeoutMs);
    for (const each of watchers) each.add(check);
    check();
  });
}
