// The tool `terminal`: a command in the session's sandbox, in its persistent shell where the configuration has one.
import { z } from 'zod';
import { HermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { Session } from '../store/sessions.ts';
import { outcomeOf } from './command-outcome.ts';
import { KEEP_BYTES } from './shown-output.ts';
import {
  type Action,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutcome,
  type ToolSandbox,
} from './tool.ts';

export interface TerminalParts {
  /** Whether the session's commands share one shell there. */
  readonly keepsShell: (session: Session, sandboxId: string) => Promise<boolean>;
  /** Of the time limit that a call may give; absent = an hour. */
  readonly longestSeconds?: number;
}

const SHORTEST_CHECK_SECONDS = 30;
const LONGEST_CHECK_SECONDS = 86_400;

const inputUpTo = (longestSeconds: number) =>
  z.strictObject({
    command: z.string().min(1).describe('What bash runs; may be several lines.'),
    timeout: z
      .number()
      .positive()
      .max(longestSeconds)
      .optional()
      .describe(
        `Seconds after which the command is ended with all its processes, at most ${longestSeconds}. Default: as configured, usually 180.`,
      ),
    workdir: z
      .string()
      .min(1)
      .optional()
      .describe('Folder for this call only, absolute or relative to the workspace. It must exist.'),
    background: z
      .boolean()
      .optional()
      .describe(
        'Start it and return at once with an id for the process tool. For servers and anything long.',
      ),
    pty: z
      .boolean()
      .optional()
      .describe(
        'Start it in the background under a terminal of 80 by 24, for programs that need one (REPLs, installers, editors). Type with process write: \\n is Enter, \\u0003 Ctrl-C, \\u0004 Ctrl-D. Read with process log.',
      ),
    check_interval: z
      .number()
      .min(SHORTEST_CHECK_SECONDS)
      .max(LONGEST_CHECK_SECONDS)
      .optional()
      .describe(
        'With background or pty, in chats: seconds after which the person is told again that it still runs, with its last output.',
      ),
    stdin: z
      .string()
      .optional()
      .describe('Text for the standard input of the command; else the input is empty.'),
  });

type Input = z.infer<ReturnType<typeof inputUpTo>>;

export function terminalTool({ keepsShell, longestSeconds = 3600 }: TerminalParts): Tool {
  const input = inputUpTo(longestSeconds);
  return defineTool<Input>({
    name: 'terminal',
    description:
      'Runs a bash command in the sandbox of this conversation and returns its output and exit code. Files stay from call to call; usually folder, variables and functions do too. There is no terminal unless you ask for one with pty: programs that ask questions get empty input unless you give stdin, so use flags such as -y. Long output is shortened in the middle: filter it, or write it to a file and read the part you need.',
    input,
    insideCode: true,
    inputInsideCode: input.omit({ background: true, pty: true, check_interval: true }),
    action: actionOf,
    begins: () => 'with-command',
    summary: ({ command, background, pty }) => (background || pty ? `${command} &` : command),
    async run(given, context) {
      if (given.check_interval !== undefined && !given.background && !given.pty)
        throw new HermesError('USAGE_BAD_ARGUMENTS', 'check_interval needs background or pty.');
      const sandbox = await context.sandbox();
      return given.background || given.pty ? start(given, sandbox) : await exec(given, sandbox, context);
    },
  });

  async function exec(given: Input, sandbox: ToolSandbox, context: ToolContext): Promise<ToolOutcome> {
    const cwd = given.workdir ?? context.folder;
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const result = await sandbox.exec(given.command, {
      persistent: await keepsShell(context.session, sandbox.sandboxId),
      keepBytes: KEEP_BYTES,
      signal: context.signal,
      onOutput: ({ stream, data }) => context.onOutput(decoders[stream].decode(data, { stream: true })),
      ...(given.timeout === undefined ? {} : { timeoutMs: given.timeout * 1000 }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(given.stdin === undefined ? {} : { stdin: given.stdin }),
    });
    const { outcome, exitCode, signal } = result;
    context.onEnd?.({
      outcome,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
    });
    return outcomeOf(result);
  }
}

async function start(given: Input, sandbox: ToolSandbox): Promise<ToolOutcome> {
  const { command, workdir, stdin, pty, check_interval: seconds } = given;
  const process = await sandbox.start(command, {
    ...(workdir === undefined ? {} : { cwd: workdir }),
    ...(pty ? { terminal: 'own' } : {}),
    ...(seconds === undefined ? {} : { checkIntervalMs: seconds * 1000 }),
  });
  if (stdin !== undefined) await process.write(stdin);
  const say = 'The process tool has its output (log), waits for its end (wait) and ends it (kill).';
  const where = pty ? 'in the background, under a terminal,' : 'in the background';
  return { text: '', notes: [`Started ${where} with the id ${process.id}. ${say}`] };
}

/** What decides about the command is all of it: the folder it runs in, and what it reads from its input. */
function actionOf({ command, workdir, background, pty, stdin }: Input): Action {
  const goesOn = background || pty;
  const folder = workdir ?? (goesOn ? '.' : undefined);
  return {
    kind: 'command',
    command: stdin === undefined ? command : `printf %s ${shellQuote(stdin)} | {\n${command}\n}`,
    ...(folder === undefined ? {} : { folder }),
    ...(goesOn ? { inBackground: true } : {}),
  };
}
