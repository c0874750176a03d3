// Whether the program is root on this machine when it runs. As root it must not work below a folder that somebody else can
// write; a program of that name may also be one that changes the user first.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverContext } from '../backend.ts';
import { type Program, programEnvironment, runProgram } from './program.ts';

const LIMIT_MS = 30_000;
const CANNOT_READ = /permission denied|no such file/i;

/** Found by a file that only we can read: who can look into it, is us. */
export async function runsAsRoot(
  program: Program,
  { home, environment, clock }: Pick<DriverContext, 'home' | 'environment' | 'clock'>,
): Promise<boolean> {
  const folder = await mkdtemp(join(home, 'private-'));
  try {
    const file = join(folder, 'no-image');
    await writeFile(file, 'Only the gateway can read this.\n', { mode: 0o600 });
    const { said } = await runProgram([program.file, 'inspect', file], {
      ...{ env: programEnvironment(environment, { path: program.path }), clock, timeoutMs: LIMIT_MS },
    });
    return !CANNOT_READ.test(said);
  } finally {
    await rm(folder, { recursive: true });
  }
}
