// Makes the folders that commands need writable in a container that has not been started. The engine unpacks archives
// with its own rights, which nothing inside has.
import { type Engine, isFault } from './engine.ts';
import { CHANNEL_FOLDER, NEW_HOME, WORKSPACE } from './plan.ts';
import { type Folder, firstFile, type TarOptions, tarOfFolders } from './tar.ts';
import type { Account } from './user.ts';

export interface FoldersWanted {
  readonly account: Account;
  readonly workdir: string;
  /** Absolute paths at which something of the host is mounted; that is left as it is. */
  readonly mounted: readonly string[];
}

/** Makes them in the container; a workdir of its own only if the image does not have it. */
export async function makeFolders(
  engine: Engine,
  container: string,
  wanted: FoldersWanted & TarOptions & { readonly signal?: AbortSignal },
): Promise<void> {
  const { signal, workdir } = wanted;
  const isOwn = workdir === WORKSPACE || workdir.startsWith(`${WORKSPACE}/`);
  const isThere = !isOwn && (await hasFile(engine, container, workdir));
  const folders = foldersFor({ ...wanted, workdir: isThere ? WORKSPACE : workdir });
  const tar = tarOfFolders(folders, wanted);
  await engine.json({ method: 'PUT', path: `/containers/${container}/archive?path=/`, tar, signal });
}

export function foldersFor({ account, workdir, mounted }: FoldersWanted): Folder[] {
  const { uid, gid, home } = account;
  const isMounted = (path: string): boolean =>
    mounted.some(target => path === target || path.startsWith(`${target}/`));
  return [
    { path: WORKSPACE, mode: 0o755, uid, gid },
    ...(workdir === WORKSPACE ? [] : [{ path: workdir, mode: 0o755, uid, gid }]),
    { path: CHANNEL_FOLDER, mode: 0o700, uid, gid },
    ...(home === undefined ? [{ path: NEW_HOME, mode: 0o700, uid, gid }] : []),
  ].filter(({ path }) => !isMounted(path));
}

/** A small text file of a container; '' when it has none. */
export async function readContainerFile(engine: Engine, container: string, path: string): Promise<string> {
  try {
    return firstFile(await engine.bytes({ method: 'GET', path: archivePath(container, path) })) ?? '';
  } catch (error) {
    if (isFault(error, 404)) return '';
    throw error;
  }
}

async function hasFile(engine: Engine, container: string, path: string): Promise<boolean> {
  try {
    await engine.bytes({ method: 'HEAD', path: archivePath(container, path) });
    return true;
  } catch (error) {
    if (isFault(error, 404)) return false;
    throw error;
  }
}

function archivePath(container: string, path: string): string {
  return `/containers/${container}/archive?${new URLSearchParams({ path })}`;
}
