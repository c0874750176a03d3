// A home that had a state and has none any more does not begin as a new installation: its sandboxes would be nobody's, and
// nobody would see that something is missing.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HermesError } from '../base/errors.ts';
import { ifThere } from '../base/if-there.ts';
import { jsonOf } from '../base/json-of.ts';
import { writePrivateFile } from '../base/private-files.ts';
import { backupFolder, isBackupFile } from './backup/folder.ts';
import { stateFile } from './state-file.ts';

/** Says beside the state which installation this home is, for the day when the state is gone. */
const MARK = 'installation.json';
const markShape = z.object({ id: z.string().min(1) });

/** Throws UNAVAILABLE_STORE when there is no state, and something says that there was one. */
export async function refuseLostState(home: string): Promise<void> {
  const state = stateFile(home);
  if (await ifThere(stat(state))) return;
  const traces = await tracesIn(home);
  if (traces.length === 0) return;
  const message = `The state of this installation is missing: ${state} does not exist, but ${traces.join(' and ')} in ${home}. Put the file back, or restore a backup: \`hermes backup list\`, then \`hermes backup restore\`. To start without the old state: \`hermes gateway start --new-state\` (the sandboxes of the old state are then removed).`;
  throw new HermesError('UNAVAILABLE_STORE', message, { details: { home, traces } });
}

async function tracesIn(home: string): Promise<readonly string[]> {
  const backups = (await namesIn(backupFolder(home))).filter(isBackupFile).length;
  // The original keeps folders of its own there.
  const sandboxes = (await namesIn(join(home, 'sandboxes'))).filter(name =>
    name.startsWith('hermes-'),
  ).length;
  return [
    ...((await markedId(home)) === undefined ? [] : [`${MARK} is`]),
    ...(backups > 0 ? [`${backups} backup${backups === 1 ? ' is' : 's are'}`] : []),
    ...(sandboxes > 0 ? [`folders of sandboxes are`] : []),
  ];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

/** The id of the installation that was here last; undefined when none is known. */
export async function markedId(home: string): Promise<string | undefined> {
  const text = await ifThere(readFile(join(home, MARK), 'utf8'));
  const mark = markShape.safeParse(text === undefined ? undefined : jsonOf(text));
  return mark.success ? mark.data.id : undefined;
}

/** Written when it is not known yet, or when a state of another installation was restored. */
export async function markInstallation(home: string, id: string): Promise<void> {
  if ((await markedId(home)) === id) return;
  await writePrivateFile(join(home, MARK), `${JSON.stringify({ id })}\n`);
}
