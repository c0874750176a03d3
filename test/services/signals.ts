// Makes a test run clean up after itself when it is interrupted.

/** Number that a shell reports for a process that such a signal ended. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * On the first SIGINT, SIGTERM or SIGHUP does the work, then ends this process. Later signals change nothing: Ctrl-C often
 * arrives twice, from the terminal and from npm. Returns what puts back the listeners that were there before.
 */
export function onInterrupt(work: (signal: string) => Promise<void>): () => void {
  const undo: (() => void)[] = [];
  let isInterrupted = false;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process within a millisecond.
    const others = process.listeners(signal);
    process.removeAllListeners(signal);
    const listener = (): void => {
      if (isInterrupted) return;
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
