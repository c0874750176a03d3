// Where the backups of this installation are, and what is said of one.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configPaths } from '../../../config/load.ts';
import { backupFolder } from '../../../store/backup/folder.ts';
import type { Contents } from '../../../store/backup/manifest.ts';
import type { CommandContext } from '../../command.ts';

export const fileArgument = {
  name: 'file',
  doc: 'path of a backup, or its name as `backup list` shows it',
} as const;

/** Needs no configuration: a broken one may be why somebody wants a backup. */
export function homeOf({ environment }: Pick<CommandContext, 'environment'>): string {
  return configPaths(environment).home;
}

/** A path first, then a name in the folder of backups. */
export function fileOf(home: string, given: string): string {
  const listed = join(backupFolder(home), given);
  return !existsSync(given) && existsSync(listed) ? listed : resolve(given);
}

export function contentsText({ state, config, secrets, workspaces }: Contents): string {
  return [
    `state v${state}`,
    ...(config ? ['config'] : []),
    ...(secrets ? ['secrets'] : []),
    ...(workspaces === 0 ? [] : [`${workspaces} workspace${workspaces === 1 ? '' : 's'}`]),
  ].join(', ');
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(0)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
