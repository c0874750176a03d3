// Passing an interrupt on, once. Ctrl-C on a terminal reaches every process of the group, and npm and our own scripts
// pass it on besides: a process that took the second of these for a sign of impatience would leave its services running.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `work` with the first interrupt and ignores later ones, until the returned function is called. */
export function onceInterrupted(work: (signal: NodeJS.Signals) => void): () => void {
  let isInterrupted = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (!isInterrupted) work(signal);
    isInterrupted = true;
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
