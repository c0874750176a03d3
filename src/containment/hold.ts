// Runs a command in a sandbox that does something and then stays, so that it can be looked at from outside meanwhile.
import type { ExecResult } from '../sandboxes/result.ts';
import type { Place } from './probe.ts';

export type Look<T> = () => Promise<T>;

export interface HoldOptions<T> {
  readonly timeoutMs: number;
  /** Called once the command has printed the line HOLDING; then the command is ended. */
  readonly look?: Look<T>;
}

/** Wrapped, so that a look which found nothing differs from one that never was. */
export type Seen<T> = { readonly held: T } | undefined;

export function isHeld<T>(seen: Seen<T>): seen is { readonly held: T } {
  return seen !== undefined;
}

export async function runHeld<T>(
  place: Place,
  command: string,
  { timeoutMs, look }: HoldOptions<T>,
): Promise<{ result: ExecResult; seen: Seen<T> }> {
  const abort = new AbortController();
  const holding = Promise.withResolvers<'holding'>();
  let heard = '';
  const ended = place.exec(command, {
    timeoutMs,
    signal: abort.signal,
    onOutput: ({ stream, data }) => {
      if (stream !== 'stdout') return;
      heard += Buffer.from(data).toString('latin1');
      if (/^HOLDING$/m.test(heard)) holding.resolve('holding');
    },
  });
  if (look === undefined || (await Promise.race([holding.promise, ended])) !== 'holding') {
    return { result: await ended, seen: undefined };
  }
  try {
    return { seen: { held: await look() }, result: await endNow(abort, ended) };
  } finally {
    await endNow(abort, ended);
  }
}

function endNow(abort: AbortController, ended: Promise<ExecResult>): Promise<ExecResult> {
  abort.abort();
  return ended;
}
