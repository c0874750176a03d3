// What can be asked of a process in the background, however it got there.

/** `outOfMemory`: the kernel killed a process of the sandbox because of its memory limit while this one ran. */
export type ProcessState =
  | { readonly state: 'running' }
  | { readonly state: 'exited'; readonly exitCode: number; readonly outOfMemory?: true }
  | { readonly state: 'signaled'; readonly signal: number; readonly outOfMemory?: true }
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
  /** Ends it and everything it has started. False = it had already ended itself. */
  kill(): Promise<boolean>;
}

/** `exited 3 0`, `signaled 9 1` or `running`; the last number is 1 if memory ran out, and absent in older records. */
export function parseState(text: string): ProcessState {
  const [word, number, oom] = text.split(' ');
  const memory = oom === '1' ? ({ outOfMemory: true } as const) : {};
  if (word === 'exited') return { state: 'exited', exitCode: Number(number), ...memory };
  if (word === 'signaled') return { state: 'signaled', signal: Number(number), ...memory };
  return { state: 'running' };
}
