// What can be asked of a process in the background, however it got there.

export type ProcessState =
  | { readonly state: 'running' }
  | { readonly state: 'exited'; readonly exitCode: number }
  | { readonly state: 'signaled'; readonly signal: number }
  /** It has ended, and nobody saw how. */
  | { readonly state: 'ended' };

export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  poll(): Promise<ProcessState>;
  /** Resolves when it has ended; rejects with the signal's reason when cancelled. */
  wait(options?: { signal?: AbortSignal }): Promise<ProcessState>;
  /** The end of its output, stdout and stderr together; the last 200 KB are kept. */
  log(): Promise<Uint8Array>;
  /** Sends bytes to its standard input. */
  write(data: string | Uint8Array): Promise<void>;
  /** Ends it and everything it has started. */
  kill(): Promise<void>;
}

/** `exited 3`, `signaled 9` or `running`. */
export function parseState(text: string): ProcessState {
  const [word, number] = text.split(' ');
  if (word === 'exited') return { state: 'exited', exitCode: Number(number) };
  if (word === 'signaled') return { state: 'signaled', signal: Number(number) };
  return { state: 'running' };
}
