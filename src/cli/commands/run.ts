// hermes run: one command in a sandbox of its own, with its output and exit code passed on.
import { HermesError } from '../../base/errors.ts';
import { shellJoin } from '../../base/shell-quote.ts';
import type { SandboxHandle } from '../../sandboxes/handle.ts';
import type { ExecResult } from '../../sandboxes/result.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { commandExitCode, EXIT_CANCELED, EXIT_TIMED_OUT } from '../command-exit-code.ts';
import { openFlaggedSandbox, type SandboxFlags, sandboxFlags } from './sandbox-flags.ts';

export const run = defineCommand({
  doc: 'Runs a command in a new sandbox, which is removed afterwards unless --keep says otherwise. One word is a shell command; several are a program and its arguments. The exit code is the command’s own; 124 means that the time limit ended it, 130 that you did.',
  flags: {
    ...sandboxFlags,
    keep: {
      type: 'switch',
      doc: 'keep the sandbox for later commands: suspended, and removed after gateway.sandbox_retention',
    },
    in: { type: 'text', value: 'ID', doc: 'run in a sandbox that --keep has kept, and keep it again' },
    timeout: { type: 'number', value: 'seconds', doc: 'time limit; else terminal.timeout' },
    stdin: { type: 'switch', doc: 'pass standard input on to the command' },
  },
  args: [{ name: 'command', doc: 'what to run, after --', rest: true }],
  examples: [
    ["run -- 'echo ok; exit 3'", 'a shell command'],
    ['run --backend local --timeout 5 -- ls -la', 'a program with arguments'],
    ['run --stdin -- sha256sum < file', 'with input'],
    ['run --backend docker --keep -- apt-get install -y jq', 'in a sandbox that stays'],
    ['run --in k3v9 -- jq --version', 'in that one'],
    ["run --json -- 'make 2>&1'", 'the whole result as JSON'],
  ],
  async run({ flags, args }, context) {
    if (flags.timeout !== undefined && flags.timeout <= 0) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', '--timeout takes a number of seconds above 0.');
    }
    const command = args.command.length === 1 ? (args.command[0] ?? '') : shellJoin(args.command);
    await using sandbox = await (flags.keep || flags.in !== undefined
      ? openKept(flags, context)
      : openFresh(flags, context));
    const { timeoutMs } = sandbox;
    const result = await sandbox.exec(command, {
      timeoutMs: flags.timeout === undefined ? timeoutMs : flags.timeout * 1000,
      signal: context.signal,
      ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }),
      ...(flags.stdin ? { stdin: await context.readBytes() } : {}),
      // What was streamed need not be kept.
      ...(context.stream ? { onOutput: context.stream, keepBytes: 0 } : {}),
    });
    for (const remark of remarks(result, context.signal.reason)) context.note(remark);
    const { stdoutBytes: _out, stderrBytes: _err, ...shown } = result;
    return shown;
  },
  render: () => '',
  exitCode: commandExitCode,
});

interface RunPlace extends AsyncDisposable {
  readonly timeoutMs: number;
  readonly exec: SandboxHandle['exec'];
}

async function openFresh(flags: SandboxFlags, context: CommandContext): Promise<RunPlace> {
  const { handle, timeoutMs } = await openFlaggedSandbox(flags, context, 'hermes run');
  return {
    timeoutMs,
    exec: (command, options) => handle.exec(command, options),
    [Symbol.asyncDispose]: () => handle[Symbol.asyncDispose](),
  };
}

async function openKept(
  flags: SandboxFlags & { readonly in: string | undefined },
  context: CommandContext,
): Promise<RunPlace> {
  const { openKeptForRun } = await import('./kept-run.ts');
  const { kept, timeoutMs, close } = await openKeptForRun(flags, context);
  return {
    timeoutMs,
    exec: (command, options) => kept.lease.exec(command, options),
    [Symbol.asyncDispose]: close,
  };
}

/** What the exit code alone would leave unsaid. */
function remarks(result: ExecResult, interruption: unknown): string[] {
  // Only Ctrl-C decides the exit code; another signal, or an output that nobody reads, has its own.
  const code = interruption === 'SIGINT' ? ` (exit code ${EXIT_CANCELED})` : '';
  const seconds = (result.durationMs / 1000).toFixed(1);
  const said: Partial<Record<ExecResult['outcome'], string>> = {
    'timed-out': `The command was ended after ${seconds} s by its time limit (exit code ${EXIT_TIMED_OUT}).`,
    canceled: `The command was interrupted after ${seconds} s${code}.`,
    'sandbox-lost': 'The sandbox was lost; whether the command finished is unknown.',
    signaled: `The command was ended by ${result.signal}.`,
  };
  const left = result.leftBehind.map(({ pid, name }) => `${name} (${pid})`).join(', ');
  return [
    ...(said[result.outcome] ? [said[result.outcome] ?? ''] : []),
    ...(result.outOfMemory ? ['It ran out of memory.'] : []),
    ...(left ? [`Still running when it ended, and ended with the sandbox: ${left}.`] : []),
  ];
}
