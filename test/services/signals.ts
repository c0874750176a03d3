// Makes a test run clean up after itself when it is interrupted.

/** Number that a shell reports for a process that such a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * On SIGINT or SIGTERM does the work, then ends this process; a second signal ends it at once.
 * Returns what puts back the listeners that were there before.
 */
export function onInterrupt(work: (signal: string) => Promise<void>): () => void {
  const undo: (() => void)[] = [];
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process within a millisecond.
    const others = process.listeners(signal);
    process.removeAllListeners(signal);
    const listener = (): void => {
      if (isInterrupted) process.exit(exitCodes[signal]);
      isInterrupted = true;
      work(signal)
        .catch(error => console.error(error))
        .finally(() => process.exit(exitCodes[signal]));
    };
    process.on(signal, listener);
    undo.push(() => {
      process.off(signal, listener);
      for (const other of others) process.on(signal, other);
    });
  }
  return () => {
    for (const putBack of undo) putBack();
  };
}
