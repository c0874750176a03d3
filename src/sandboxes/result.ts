// What a command came to. A closed union that never lies (P9): failing, timing out and being cancelled are results,
// not exceptions, and what is not known is said to be unknown.
import { constants } from 'node:os';
import type { LaneEnd, LeftBehind } from './channel/lane-end.ts';
import type { OutputBuffer } from './channel/output-buffer.ts';

export type Outcome = 'exited' | 'signaled' | 'timed-out' | 'canceled' | 'sandbox-lost';

export interface ExecResult {
  readonly outcome: Outcome;
  /** Present exactly when `exited`. */
  readonly exitCode?: number;
  /** Present exactly when `signaled`: the name, such as SIGKILL. */
  readonly signal?: string;
  /** UTF-8; bytes that are none become U+FFFD; a note stands where something was left out. */
  readonly stdout: string;
  readonly stderr: string;
  /** As written; when `truncated`, beginning and end. */
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  /** Bytes that were written, kept or not. */
  readonly stdoutTotal: number;
  readonly stderrTotal: number;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Processes of the command that are still running. */
  readonly leftBehind: readonly LeftBehind[];
  /**
   * Present exactly when `timed-out` or `canceled`. `ended`: with all its processes. `unknown`: nobody saw them end. `unbegun`:
   * nothing of it was run.
   */
  readonly interrupted?: 'ended' | 'unknown' | 'unbegun';
  /** They are one background process, by this id; absent = there are none, or they were ended. */
  readonly remnantId?: string;
  /** The kernel ended it because the memory limit was reached. */
  readonly outOfMemory?: boolean;
  /** What else the caller should know, in words. */
  readonly notices: readonly string[];
}

/** What the caller did to the command, if anything. */
export type Interruption = 'timed-out' | 'canceled';

/** How a command ended that had the chance to run. */
export type CommandEnd = Exclude<LaneEnd, { kind: 'nocwd' }>;

export interface ResultParts {
  readonly end: CommandEnd;
  readonly interruption: Interruption | undefined;
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
  readonly durationMs: number;
  readonly notices: readonly string[];
}

export function buildResult({
  end,
  interruption,
  stdout,
  stderr,
  durationMs,
  notices,
}: ResultParts): ExecResult {
  const known = 'leftBehind' in end ? end : undefined;
  const said = end.kind === 'lost' ? [...notices, `The outcome is unknown: ${end.reason}.`] : notices;
  const [output, errors] = [lazily(stdout), lazily(stderr)];
  return {
    ...outcomeOf(end, interruption),
    // Half a gigabyte may be kept: nobody pays for a form of it that is not asked for.
    get stdout() {
      return output.text();
    },
    get stderr() {
      return errors.text();
    },
    get stdoutBytes() {
      return output.bytes();
    },
    get stderrBytes() {
      return errors.bytes();
    },
    stdoutTotal: stdout.total,
    stderrTotal: stderr.total,
    truncated: stdout.omitted + stderr.omitted > 0,
    durationMs,
    leftBehind: known?.leftBehind ?? [],
    ...(known?.outOfMemory ? { outOfMemory: true } : {}),
    notices: said,
  };
}

/** The same with some fields changed; what was not asked for yet stays so. */
export function changed(result: ExecResult, changes: Partial<ExecResult>): ExecResult {
  const descriptors = {
    ...Object.getOwnPropertyDescriptors(result),
    ...Object.getOwnPropertyDescriptors(changes),
  };
  return Object.defineProperties({}, descriptors) as ExecResult; // all fields of one
}

/** Each made once, when it is first asked for. */
function lazily(buffer: OutputBuffer): { text(): string; bytes(): Uint8Array } {
  let [text, bytes]: [string?, Uint8Array?] = [];
  return {
    text() {
      text ??= buffer.text();
      return text;
    },
    bytes() {
      bytes ??= buffer.bytes();
      return bytes;
    },
  };
}

const INTERRUPTED = { exited: 'ended', signaled: 'ended', lost: 'unknown', unbegun: 'unbegun' } as const;

function outcomeOf(
  end: ResultParts['end'],
  interruption: Interruption | undefined,
): Pick<ExecResult, 'outcome' | 'exitCode' | 'signal' | 'interrupted'> {
  if (interruption !== undefined) return { outcome: interruption, interrupted: INTERRUPTED[end.kind] };
  if (end.kind === 'lost' || end.kind === 'unbegun') return { outcome: 'sandbox-lost' };
  if (end.kind === 'exited') return { outcome: 'exited', exitCode: end.number };
  return { outcome: 'signaled', signal: signalName(end.number) };
}

function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? `SIG${number}`;
}
