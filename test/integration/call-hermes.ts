// The CLI in this process, for tests of what it says and does: starting a program each time takes longer than all of it.
import { Readable } from 'node:stream';
import { type CliOptions, runCli } from '../../src/cli/run-cli.ts';
import type { Environment } from '../../src/config/environment.ts';
import { within } from '../wait.ts';
import type { Ended } from './run-program.ts';

/** `env` is added to what is inherited: the environment of this process, unless the test says otherwise. */
export async function callHermes(
  argv: readonly string[],
  {
    env,
    inherited = process.env,
    ...more
  }: { readonly env?: Environment; readonly inherited?: Environment } & Pick<
    CliOptions,
    'clock' | 'end'
  > = {},
): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const code = await within(
    runCli({
      ...{
        argv,
        environment: { ...inherited, ...env },
        stdin: Readable.from([]),
        ...more,
      },
      stdout: { write: text => (stdout += String(text)) },
      stderr: { write: text => (stderr += String(text)) },
    }),
    () => `hermes ${argv.join(' ')} ends: ${stderr}`,
  );
  return { code, signal: null, stdout, stderr };
}
