// Installs a package with apt-get, as its user would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { HermesError } from '../../../base/errors.ts';
import { stripAnsi } from '../../../base/strip-ansi.ts';
import type { CommandContext } from '../../command.ts';

const APT = '/usr/bin/apt-get';
/** Somebody else may be installing something; they get this long. */
const LOCK_SECONDS = 120;
const SHOWN_LINES = 8;

export function hasApt(): boolean {
  return existsSync(APT);
}

/** The lists of packages are fetched only where it does not work with those that are there. Throws UNAVAILABLE_BACKEND. */
export async function installPackage(name: string, context: CommandContext): Promise<void> {
  const install = ['install', '--yes', '--no-install-recommends', name];
  if ((await apt(install, context)).code === 0) return;
  context.note('fetching the lists of packages: apt-get update');
  const updated = await apt(['update'], context);
  const installed = await apt(install, context);
  if (installed.code === 0) return;
  const said = installed.said || updated.said;
  throw new HermesError(
    'UNAVAILABLE_BACKEND',
    `${name} could not be installed; nothing was started. apt-get says:\n${said}\nMend that, or install it by hand: apt-get install ${name}`,
    { details: { package: name } },
  );
}

/** Not ended by Ctrl-C: an interrupted dpkg leaves the packages of the machine broken. */
async function apt(
  words: readonly string[],
  { environment }: CommandContext,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const lock = ['-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  const child = spawn(APT, ['-q', ...lock, ...words], {
    env: { ...environment, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: stripAnsi(said).trim().split('\n').slice(-SHOWN_LINES).join('\n') };
}
