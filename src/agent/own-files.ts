// The files of this installation itself, as a sandbox sees them: its configuration, state, logs, backups, keys and sockets.
// They never leave through a tool, whoever agrees to it (P17). Pure.
import { relative } from 'node:path/posix';
import type { Exposure } from '../risk/exposure.ts';
import type { Action } from '../tools/tool.ts';

/** Their folders by the paths that they have inside. */
export function ownFolders(homes: readonly string[], { isWhole, mounts }: Exposure): readonly string[] {
  const mounted = mounts.flatMap(({ source, target }) =>
    homes.flatMap(home => {
      if (source === undefined) return [];
      if (isWithin(source, home)) return [target];
      return isWithin(home, source) ? [joined(target, relative(source, home))] : [];
    }),
  );
  return [...new Set([...(isWhole ? homes : []), ...mounted])];
}

/** Whether the action would show such a file, or send it away. `path`: where it leads, absolute. */
export function takesOwnFile(
  action: Action,
  path: string,
  { folders, workdir }: { readonly folders: readonly string[]; readonly workdir: string },
): boolean {
  if (action.kind !== 'read' && action.kind !== 'send' && action.kind !== 'search') return false;
  // A workspace may lie below: what is in it is the session's.
  return folders.some(
    folder => isWithin(path, folder) && !(isWithin(workdir, folder) && isWithin(path, workdir)),
  );
}

function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

function joined(folder: string, rest: string): string {
  return rest === '' ? folder : `${folder === '/' ? '' : folder}/${rest}`;
}
