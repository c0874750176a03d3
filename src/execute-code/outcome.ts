// What the model is told about a program that has run. Pure.
import { ALONE } from '../sandboxes/handle.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import { type LanguageName, languages } from './language.ts';
import type { NotRun, ProgramEnd, ProgramLimits } from './run-program.ts';

/** There is nothing in the sandbox that runs the language. */
export function missingOutcome(language: LanguageName, { notices }: NotRun): ToolOutcome {
  return { text: '', notes: [languages[language].missing, ...told(notices)], isError: true };
}

export function outcomeOf(end: ProgramEnd, limits: ProgramLimits): ToolOutcome {
  const { result, stdout, stderr } = end;
  const text = stderr === '' ? stdout : `${withLineEnd(stdout)}[stderr]\n${stderr}`;
  return {
    text,
    notes: [
      `${howItEnded(result, limits)} ${countOf(end.calls)}.`,
      ...(text === '' ? ['It wrote nothing.'] : []),
      ...(end.refusedCalls > 0
        ? [`${countOf(end.refusedCalls)} beyond the limit of ${limits.mostCalls} were refused.`]
        : []),
      ...(end.isLineBroken
        ? ['What it wrote into the line of its tools was no call; it had no tools from then on.']
        : []),
      ...leftBehind(result),
      ...told(end.notices),
    ],
    isError: result.outcome !== 'exited' || result.exitCode !== 0,
  };
}

/** That it ran beside the session's shell is meant so. */
function told(notices: readonly string[]): readonly string[] {
  return [...new Set(notices)].filter(notice => notice !== ALONE);
}

function howItEnded(
  { outcome, exitCode, signal, outOfMemory }: ProgramEnd['result'],
  { timeoutMs }: ProgramLimits,
): string {
  switch (outcome) {
    case 'exited':
      return `The program ended with exit code ${exitCode}${outOfMemory ? ', and a process was killed because the memory of the sandbox was used up,' : ''} after`;
    case 'signaled':
      if (outOfMemory) return 'The program was killed because the memory of the sandbox was used up, after';
      return `The program was ended by ${signal}${signal === 'SIGKILL' ? ', or left with status 137,' : ''} after`;
    case 'timed-out':
      return `The program was ended, with all that it had started, because its ${timeoutMs / 1000} s were over, after`;
    case 'canceled':
      return 'The program was cancelled and ended, with all that it had started, after';
    case 'sandbox-lost':
      return 'What became of the program is not known: the shell that ran it is gone. It made';
  }
}

function countOf(calls: number): string {
  return calls === 1 ? '1 tool call' : `${calls} tool calls`;
}

function leftBehind({ leftBehind: left }: ProgramEnd['result']): string[] {
  if (left.length === 0) return [];
  const names = [...new Set(left.map(({ name }) => name))].slice(0, 5).join(', ');
  return [
    `${left.length} of its processes were still running when it ended, and were ended: ${names}. What has to go on is started with terminal, outside of execute_code.`,
  ];
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
