// The tool execute_code: a program that the model writes runs in the session's sandbox and may call the other tools.
import { z } from 'zod';
import { HermesError } from '../base/errors.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { languageNames, languages } from './language.ts';
import { type OfferedTool, offeredTools } from './offered-tools.ts';
import { missingOutcome, outcomeOf } from './outcome.ts';
import { pythonSignature } from './python-module.ts';
import { type ProgramLimits, runProgram } from './run-program.ts';

export interface ExecuteCodeOptions {
  /** The enabled ones; a program gets those of them that are for programs. */
  readonly tools: readonly Tool[];
  readonly limits: ProgramLimits;
  /** Applied before output is cut (P7). */
  readonly redact: (text: string) => string | Promise<string>;
}

const input = z.strictObject({
  language: z
    .enum(languageNames)
    .default('python')
    .describe('python, or javascript where the sandbox has node.'),
  code: z.string().min(1).describe('The whole program. What it prints is what comes back.'),
});

export function createExecuteCode({ tools, limits, redact }: ExecuteCodeOptions): Tool {
  const offered = offeredTools(tools);
  return defineTool<z.infer<typeof input>>({
    name: 'execute_code',
    description: describe(offered, limits),
    input,
    insideCode: false,
    action: ({ language, code }) => ({ kind: 'script', language, text: code }),
    begins: () => 'with-command',
    summary: ({ language, code }) => `${languages[language].title}: ${firstLine(code)}`,
    async run({ language, code }, context) {
      if (code.includes('\0')) {
        throw new HermesError('USAGE_BAD_ARGUMENTS', 'A program cannot contain a NUL byte; nothing was run.');
      }
      const end = await runProgram({ language, code, tools: offered, limits, redact }, context);
      return end.kind === 'missing' ? missingOutcome(language, end) : outcomeOf(end, limits);
    },
  });
}

/** The limits of the configuration. */
export function programLimits(config: {
  get(
    key:
      | 'code_execution.timeout'
      | 'code_execution.max_tool_calls'
      | 'code_execution.max_stdout'
      | 'code_execution.max_stderr',
  ): number;
}): ProgramLimits {
  return {
    timeoutMs: config.get('code_execution.timeout') * 1000,
    mostCalls: config.get('code_execution.max_tool_calls'),
    stdoutBytes: config.get('code_execution.max_stdout') * 1024,
    stderrBytes: config.get('code_execution.max_stderr') * 1024,
  };
}

function describe(tools: readonly OfferedTool[], { timeoutMs, mostCalls }: ProgramLimits): string {
  const ends = `It is ended after ${timeoutMs / 1000} s, with all that it has started.`;
  const runs =
    'Runs a program in the sandbox, in the folder where the shell of terminal stands, and returns what it prints. Good for many steps at once: loops, filters, sums over files. It has no input.';
  if (tools.length === 0) return `${runs} ${ends}`;
  const signatures = tools.map(tool => `  ${pythonSignature(tool)}`).join('\n');
  return `${runs} ${ends}
The program can call tools, at most ${mostCalls} times: in Python \`from hermes_tools import ${tools[0]?.functionName}\`. Each returns its answer as text and raises ToolError; threads may call too. In JavaScript, an ES module, the functions of hermes_tools take one object and return a promise.
${signatures}`;
}

function firstLine(code: string): string {
  const lines = code.split('\n').filter(line => line.trim() !== '');
  const rest = lines.length > 1 ? ` … (${lines.length} lines)` : '';
  return `${(lines[0] ?? '').trim().slice(0, 100)}${rest}`;
}
