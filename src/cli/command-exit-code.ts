// The exit code of Hermes where it stands for a command that was run in a sandbox. Pure.
import { constants } from 'node:os';
import { HermesError } from '../base/errors.ts';
import type { ExecResult } from '../sandboxes/result.ts';

/** As `timeout` says it. */
export const EXIT_TIMED_OUT = 124;
/** As a shell says it of a program that Ctrl-C has ended. */
export const EXIT_CANCELED = 130;

export function commandExitCode({
  outcome,
  exitCode,
  signal,
}: Pick<ExecResult, 'outcome' | 'exitCode' | 'signal'>): number {
  if (outcome === 'exited') return exitCode ?? 0;
  if (outcome === 'timed-out') return EXIT_TIMED_OUT;
  if (outcome === 'canceled') return EXIT_CANCELED;
  if (outcome === 'signaled')
    return 128 + (Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0);
  return new HermesError('SANDBOX_GONE', '').exitCode;
}
