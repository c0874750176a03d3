// Where the CLI begins and ends: the only file that prints and exits.
import { systemClock } from '../base/clock.ts';
import { readEnvironment } from '../config/environment.ts';
import { version } from './version.ts';

/** sysexits' code for output that cannot be written. */
const EX_IOERR = 74;
const LINGER_MS = 3000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const abort = new AbortController();
  endWithOutput(abort);
  // Answered before anything else is loaded.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  endOnSignals(abort);
  const { runCli } = await import('./run-cli.ts');
  const code = await runCli({
    argv,
    environment: readEnvironment(),
    // Opened only by a command that reads it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: abort.signal,
    end: () => abort.abort('asked'),
  });
  process.exitCode ??= code;
  // What does not end by itself does not keep a program that was asked to end.
  if (abort.signal.aborted) systemClock.after(LINGER_MS, () => process.exit());
}

/** The first signal asks the command to end and clean up; the second of the same kind does not wait for it. */
function endOnSignals(abort: AbortController): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // A terminal that closes sends its signal more than once, and nobody has pressed anything.
      if (abort.signal.reason === name && name !== 'SIGHUP') process.exit(EXIT_CODES[name]);
      // Ctrl-C is a command's to answer; the others end the program as such.
      if (name !== 'SIGINT') process.exitCode = EXIT_CODES[name];
      abort.abort(name);
    });
  }
}

/** `hermes … | head` closes the pipe early: no failure, but a reason to end and clean up. A full disk is a failure. */
function endWithOutput(abort: AbortController): void {
  const fail = (stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void => {
    // What cannot be written to a terminal that was closed says nothing more than the signal that comes with it.
    const isHungUp = error.code === 'EIO' && stream.isTTY;
    process.exitCode = error.code === 'EPIPE' ? 0 : isHungUp ? EXIT_CODES.SIGHUP : EX_IOERR;
    if (error.code !== 'EPIPE' && !isHungUp && !abort.signal.aborted) {
      process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
    }
    abort.abort('output');
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', error => fail(stream, error));
}
