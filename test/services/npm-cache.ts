// What `npm ci` of this project takes from the registry, kept between runs so that it works without a network.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, runCommand } from './command.ts';
import { withLock } from './lock.ts';
import { NotAvailable, type ServiceContext } from './service.ts';

const project = join(import.meta.dirname, '../..');
const files = ['package.json', 'package-lock.json', '.npmrc'];

/** Puts the cache for the lock file as it is now into a new folder. */
export async function copyNpmCache(context: ServiceContext, npm: string, target: string): Promise<void> {
  const lock = await readFile(join(project, 'package-lock.json'));
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const top = join(context.cacheDir, 'npm');
  const folder = join(top, key);
  await withLock(`${top}.lock`, context.signal, async () => {
    if (!(await exists(folder))) await fill(context, npm, { top, folder });
    await runCommand(['cp', '-a', folder, target], { signal: context.signal });
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
