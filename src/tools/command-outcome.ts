// What a model is told about a command that has come to an end. Pure.
import type { ProcessState } from '../sandboxes/background-process.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import { keptText } from './shown-output.ts';
import type { ToolOutcome } from './tool.ts';

const LISTED = 10;
const OUT_OF_MEMORY = 'The memory limit of the sandbox was reached: a process was killed.';

export function outcomeOf(result: ExecResult): ToolOutcome {
  const stdout = keptText({ bytes: result.stdoutBytes, total: result.stdoutTotal });
  const stderr = keptText({ bytes: result.stderrBytes, total: result.stderrTotal });
  const text = [stdout, ...(stderr === '' ? [] : [`[stderr]\n${stderr}`])].filter(part => part !== '');
  const isError = result.outcome !== 'exited' || result.exitCode !== 0;
  const end = endOf(result);
  return {
    text: text.map(part => part.replace(/\n$/, '')).join('\n'),
    ...(isError || result.outOfMemory ? {} : { success: end }),
    notes: [...(isError || result.outOfMemory ? [end] : []), ...leftBehind(result), ...result.notices],
    isError,
  };
}

const INTERRUPTED = {
  ended: 'it was ended with all its processes.',
  unknown: 'whether all of its processes have ended is unknown. It was not run again.',
  unbegun: 'it had not begun, and nothing was run.',
} as const;

function endOf({ outcome, exitCode, signal, durationMs, outOfMemory, interrupted }: ExecResult): string {
  const after = `after ${seconds(durationMs)}`;
  const why = outOfMemory ? ` ${OUT_OF_MEMORY}` : '';
  switch (outcome) {
    case 'exited':
      return `Exit code ${exitCode}${durationMs >= 1000 ? ` ${after}` : ''}.${why}`;
    case 'signaled':
      return `Ended by ${signal} ${after}.${why}`;
    case 'timed-out':
      return interrupted === 'ended'
        ? `Timed out ${after}: it was ended with all its processes. Give a longer timeout, or run it in the background.`
        : `Timed out ${after}: ${INTERRUPTED[interrupted ?? 'unknown']}`;
    case 'canceled':
      return `Canceled ${after}: ${INTERRUPTED[interrupted ?? 'unknown']}`;
    case 'sandbox-lost':
      return 'The sandbox was lost while it ran: whether it has finished is unknown. It was not run again.';
  }
}

function leftBehind({ leftBehind: left }: ExecResult): string[] {
  if (left.length === 0) return [];
  const names = left.slice(0, LISTED).map(({ pid, name }) => `${printable(name)} (${pid})`);
  const more = left.length > LISTED ? ` and ${left.length - LISTED} more` : '';
  return [
    `Still running in the background: ${names.join(', ')}${more}. The process tool lists and ends them.`,
  ];
}

export function stateText(state: ProcessState): string {
  switch (state.state) {
    case 'running':
      return 'running';
    case 'exited':
      return `ended with exit code ${state.exitCode}${memoryOf(state)}`;
    case 'signaled':
      return `ended by signal ${state.signal}${memoryOf(state)}`;
    case 'ended':
      return 'ended; its exit code is not known';
  }
}

function memoryOf({ outOfMemory }: { readonly outOfMemory?: true }): string {
  return outOfMemory ? '; a process was killed: the memory limit of the sandbox was reached' : '';
}

/** What a program calls itself may be anything. */
function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
