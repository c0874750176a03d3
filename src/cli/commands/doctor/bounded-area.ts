// One area of the examination, which ends: what fails or hangs in it is a finding, and the other areas are reported all the same.
import { asHermesError } from '../../../base/errors.ts';
import type { CommandContext } from '../../command.ts';
import { type AreaName, type AreaReport, problem } from './area.ts';

const LONGEST_MS = 30_000;
const RERUN = 'Fix that, then run hermes doctor again.';

type Waiting = Pick<CommandContext, 'clock' | 'signal'>;
type Look<T> = (signal: AbortSignal) => Promise<T>;

/**
 * What `look` says, or `late` when its time is up. Its signal aborts then; a `look` that ignores it is left alone.
 * Rejects as `look` does, and with the reason of the caller's own signal.
 */
export async function inTime<T>(
  { clock, signal }: Waiting,
  limitMs: number,
  look: Look<T>,
): Promise<T | 'late'> {
  signal.throwIfAborted();
  const late = new AbortController();
  const { promise: isOver, resolve, reject } = Promise.withResolvers<'late'>();
  const timer = clock.after(limitMs, () => resolve('late'), { keepAlive: true });
  const cancel = (): void => reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // A race also takes what the slower one rejects with later.
    return await Promise.race([isOver, look(AbortSignal.any([signal, late.signal]))]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', cancel);
    late.abort();
  }
}

/** A failure of `look` is a finding. Rejects only when the caller's signal aborts. */
export async function contained(
  area: AreaName,
  { signal }: Pick<Waiting, 'signal'>,
  look: () => Promise<AreaReport>,
): Promise<AreaReport> {
  try {
    return await look();
  } catch (error) {
    signal.throwIfAborted();
    const { message } = asHermesError(error);
    return { area, said: 'check failed', found: [problem(area, message, RERUN)] };
  }
}

/** The same, and it takes at most 30 s. */
export function boundedArea(
  area: AreaName,
  context: Waiting,
  look: Look<AreaReport>,
  onLate: () => void,
): Promise<AreaReport> {
  return contained(area, context, async () => {
    const seen = await inTime(context, LONGEST_MS, look);
    if (seen !== 'late') return seen;
    onLate();
    const message = `The check timed out after ${LONGEST_MS / 1000} s.`;
    return { area, said: 'timed out', found: [problem(area, message, `${HINTS[area] ?? ''}${RERUN}`)] };
  });
}

const STUCK_DISK = 'A file system may hang: `mount` lists them. ';
const HINTS: Partial<Record<AreaName, string>> = {
  home: STUCK_DISK,
  database: STUCK_DISK,
  disk: STUCK_DISK,
  clock: STUCK_DISK,
  model: 'The server of the model accepts connections and does not answer: hermes model test. ',
};
