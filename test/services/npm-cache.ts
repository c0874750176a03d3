// What `npm ci` of this project takes from the registry, kept between runs so that it works without a network.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists, findCommand, runCommand } from './command.ts';
import { withLock } from './lock.ts';
import { NotAvailable, type ServiceContext } from './service.ts';

const project = join(import.meta.dirname, '../..');
const files = ['package.json', 'package-lock.json', '.npmrc'];

export interface Npm {
  readonly command: string;
  /** The folder that has all of it. */
  readonly tree: string;
}

/** That of this machine. Throws `NotAvailable` where it cannot be copied. */
export async function findNpm(): Promise<Npm> {
  const command = await findCommand('npm');
  if (!command) throw new NotAvailable('this machine has no npm');
  const tree = dirname(dirname(await realpath(command)));
  if (!(await exists(join(tree, 'node_modules'))))
    throw new NotAvailable(`the npm of this machine is not whole in one folder: ${tree}`);
  return { command, tree };
}

/** Identifies the lock file as it is now. */
export async function lockKey(): Promise<string> {
  const lock = await readFile(join(project, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex').slice(0, 16);
}

/** Puts the cache for the lock file as it is now into a new folder. */
export async function copyNpmCache(context: ServiceContext, npm: Npm, target: string): Promise<void> {
  await withCache(context, npm, folder =>
    runCommand(['cp', '-a', folder, target], { signal: context.signal }),
  );
}

/** Makes `node_modules` in a folder by `npm ci` with these words; the files that it reads are left there too. */
export async function installPackages(
  context: ServiceContext,
  folder: string,
  words: readonly string[],
): Promise<void> {
  const npm = await findNpm();
  for (const name of files) await copyFile(join(project, name), join(folder, name));
  const options = { cwd: folder, timeoutMs: 300_000, signal: context.signal };
  await withCache(context, npm, cache =>
    runCommand([npm.command, 'ci', ...words, '--offline', '--cache', cache], options),
  );
}

async function withCache(
  context: ServiceContext,
  npm: Npm,
  use: (folder: string) => Promise<unknown>,
): Promise<void> {
  const top = join(context.cacheDir, 'npm');
  const folder = join(top, await lockKey());
  await withLock(`${top}.lock`, context.signal, async () => {
    if (!(await exists(folder))) await fill(context, npm.command, { top, folder });
    await use(folder);
  });
}

async function fill(
  context: ServiceContext,
  npm: string,
  { top, folder }: { readonly top: string; readonly folder: string },
): Promise<void> {
  context.say('fetching what npm ci needs');
  // Those of other lock files are of no use any more.
  await rm(top, { recursive: true, force: true });
  await mkdir(top, { recursive: true });
  const scratch = await mkdtemp(join(context.dir, 'npm-'));
  for (const name of files) await copyFile(join(project, name), join(scratch, name));
  try {
    await runCommand([npm, 'ci', '--ignore-scripts', '--cache', `${folder}.part`], {
      cwd: scratch,
      timeoutMs: 300_000,
      signal: context.signal,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    const message = `the packages of the project cannot be fetched: ${String(error)}`;
    throw new NotAvailable(message, { cause: error });
  } finally {
    await rm(scratch, { recursive: true });
  }
  await rename(`${folder}.part`, folder);
}
