// The home folder of an account of this machine, as the system itself knows it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HermesError } from '../../../base/errors.ts';

const TIMEOUT_MS = 10_000;

/** Throws USAGE_BAD_ARGUMENTS when there is no such account. */
export async function accountHome(name: string, system: NodeJS.Platform): Promise<string> {
  const [command, ...args] =
    system === 'darwin'
      ? (['dscl', '.', '-read', `/Users/${name}`, 'NFSHomeDirectory'] as const)
      : (['getent', 'passwd', name] as const);
  try {
    const { stdout } = await promisify(execFile)(command, args, { timeout: TIMEOUT_MS });
    const home = system === 'darwin' ? stdout.split(': ')[1]?.trim() : stdout.split(':')[5];
    if (home) return home;
    throw new Error(`${command} named no home folder`);
  } catch (error) {
    const message = `There is no account ${name} with a home folder here. Make one, such as with: useradd --system --create-home ${name}`;
    throw new HermesError('USAGE_BAD_ARGUMENTS', message, { details: { account: name }, cause: error });
  }
}
