// Where the CLI begins and ends: the only file that prints and exits.
import { readEnvironment } from '../config/environment.ts';
import { version } from './version.ts';

export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  process.stdout.on('error', endQuietlyWhenNobodyReads);
  process.stderr.on('error', endQuietlyWhenNobodyReads);
  // Answered before anything else is loaded.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli({
    argv,
    environment: readEnvironment(),
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

/** `hermes … | head` closes the pipe early; that is no failure. */
function endQuietlyWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
