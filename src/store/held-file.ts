// Whether the file that the store has open is still the state of the installation: one that was deleted or replaced takes
// writes for as long as it is open, and they are lost with it.
import { statSync } from 'node:fs';
import type { HermesError } from '../base/errors.ts';
import { unusable } from './sqlite-errors.ts';

interface Seen {
  readonly dev: bigint;
  readonly ino: bigint;
}

export class HeldFile {
  readonly #path: string;
  #seen: Seen | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** It is open now: what has its name is the one. */
  opened(): void {
    this.#seen = look(this.#path);
  }

  /** Throws UNAVAILABLE_STORE when its name leads nowhere, or to another file. It takes some microseconds. */
  check(): void {
    if (!this.#seen) return;
    const now = look(this.#path);
    if (now?.ino !== this.#seen.ino || now.dev !== this.#seen.dev) throw lostState(this.#path, now);
  }
}

function look(path: string): Seen | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function lostState(path: string, now: unknown): HermesError {
  const why = now
    ? 'another file was put in its place while it was open'
    : 'it was deleted while it was open';
  return unusable(
    path,
    why,
    'The gateway takes no more messages and ends. Put the file back, or restore a backup (hermes backup restore), and start the gateway again.',
  );
}
