// The CLI in this process, for tests of what it says and does: starting a program each time takes longer than all of it.
import { Readable } from 'node:stream';
import { runCli } from '../../src/cli/run-cli.ts';
import type { Environment } from '../../src/config/environment.ts';
import { within } from '../wait.ts';
import type { Ended, ProgramOptions } from './run-program.ts';

/** `env` is added to the environment of this process; what is undefined there is left out. */
export async function callHermes(
  argv: readonly string[],
  { env, input = '' }: Pick<ProgramOptions, 'input'> & { readonly env?: Environment } = {},
): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  const code = await within(
    runCli({
      ...{
        argv,
        environment: { ...process.env, ...env },
        stdin: Readable.from(bytes.length === 0 ? [] : [bytes]),
      },
      stdout: { write: text => (stdout += String(text)) },
      stderr: { write: text => (stderr += String(text)) },
    }),
    () => `hermes ${argv.join(' ')} ends: ${stderr}`,
  );
  return { code, signal: null, stdout, stderr };
}
