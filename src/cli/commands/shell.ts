// hermes shell: a persistent shell in a sandbox, line by line.
import { shellQuote } from '../../base/shell-quote.ts';
import { configPaths } from '../../config/load.ts';
import type { SandboxHandle } from '../../sandboxes/handle.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { lineHistory } from '../line-history.ts';
import { openFlaggedSandbox, sandboxFlags } from './sandbox-flags.ts';
import { readCommand } from './shell-input.ts';

export const shell = defineCommand({
  doc: 'Opens a sandbox and runs the lines you type in one shell, which keeps folder, variables and functions. A command may go on over several lines. Ctrl-C ends the running command, Ctrl-D or `exit` the shell and its sandbox.',
  flags: sandboxFlags,
  args: [],
  examples: [
    ['shell', 'in the backend of the configuration'],
    ['shell --backend local --cwd /srv', 'here, starting in /srv'],
  ],
  async run({ flags }, context) {
    const { handle, timeoutMs, backend } = await openFlaggedSandbox(flags, context, 'hermes shell');
    await using sandbox = handle;
    const history = lineHistory(configPaths(context.environment).home, 'shell_history');
    let current: AbortController | undefined;
    const interrupt = (): void => current?.abort();
    context.signal.addEventListener('abort', interrupt);
    const lines = context.openLines({ history: await history.read(), onInterrupt: interrupt });
    // Ctrl-C is for the running command; any other signal is for the shell.
    const leave = (): void => {
      if (context.signal.reason !== 'SIGINT') lines.close();
    };
    context.signal.addEventListener('abort', leave);
    if (context.signal.aborted) leave();
    let exitCode = 0;
    try {
      let folder = flags.cwd ?? sandbox.workdir;
      // A folder that is not there is refused here, before any line is read.
      await sandbox.exec(`cd -- ${shellQuote(folder)}`, { persistent: true, cwd: folder });
      for (;;) {
        const command = await readCommand(lines, `${backend} ${folder} $ `, sandbox);
        const exit = /^\s*exit(?:\s+(\d+))?\s*$/.exec(command ?? 'exit');
        if (command === undefined || exit || context.signal.aborted) {
          if (exit?.[1]) exitCode = Number(exit[1]) & 255;
          break;
        }
        if (command.trim() === '') continue;
        current = new AbortController();
        exitCode = await runCommand(sandbox, command, { context, timeoutMs, signal: current.signal });
        current = undefined;
        // With input it runs beside the shell, whose `$?` stays.
        folder = (await sandbox.exec('printf %s "$PWD"', { persistent: true, stdin: '' })).stdout;
      }
    } finally {
      lines.close();
      await history.save(lines.history());
    }
    return { exitCode };
  },
  render: () => '',
  exitCode: ({ exitCode }) => exitCode,
});

interface CommandRun {
  readonly context: CommandContext;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function runCommand(
  sandbox: SandboxHandle,
  command: string,
  { context, timeoutMs, signal }: CommandRun,
): Promise<number> {
  const result = await sandbox.exec(command, {
    persistent: true,
    timeoutMs,
    signal,
    ...(context.stream ? { onOutput: context.stream } : {}),
    keepBytes: 0,
  });
  if (result.outcome === 'timed-out') context.note(`ended by the time limit of ${timeoutMs / 1000} s`);
  if (result.outcome === 'canceled') context.note('interrupted');
  if (result.outcome === 'signaled') context.note(`ended by ${result.signal}`);
  if (result.outcome === 'exited') for (const notice of result.notices) context.note(notice);
  return result.exitCode ?? 1;
}
