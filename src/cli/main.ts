// Where the CLI begins and ends: the only file that prints and exits.
import { readEnvironment } from '../config/environment.ts';
import { version } from './version.ts';

export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  process.stdout.on('error', endWhenOutputFails);
  process.stderr.on('error', endWhenOutputFails);
  // Answered before anything else is loaded.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli({
    argv,
    environment: readEnvironment(),
    // Opened only by a command that reads it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interruption(),
  });
}

/** The first Ctrl-C or SIGTERM asks the command to end and clean up; the second does not wait for it. */
function interruption(): AbortSignal {
  const abort = new AbortController();
  const exits = { SIGINT: 130, SIGTERM: 143 } as const;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (abort.signal.aborted) process.exit(exits[name]);
      abort.abort(name);
    });
  }
  return abort.signal;
}

/** sysexits' code for output that cannot be written. */
const EX_IOERR = 74;

/** `hermes … | head` closes the pipe early; that is no failure. A full disk is one. */
function endWhenOutputFails(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  // Standard error may be the very stream that failed.
  process.stderr.removeAllListeners('error').on('error', () => undefined);
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(EX_IOERR);
}
