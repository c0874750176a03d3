// Waiting for a stream of a process to take what was written.
import type { Writable } from 'node:stream';

/** Resolves when the stream takes more, or never will. */
export function untilTaken(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
