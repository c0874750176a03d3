// Reads the home of the original and plans what would be written differently; used by both commands of `migrate`.
import { readdir } from 'node:fs/promises';
import { ifThere } from '../../../base/if-there.ts';
import { sections } from '../../../compose.ts';
import type { ConfigPaths } from '../../../config/config.ts';
import { allSettings, configPaths } from '../../../config/load.ts';
import { type Migration, planMigration } from '../../../config/original/plan.ts';
import { readIfThere } from '../../../config/read-file.ts';
import type { CommandContext } from '../../command.ts';

/** What the original keeps in its home and this program neither reads nor changes. */
const LEFT_ALONE = [
  'auth.json',
  'checkpoints',
  'cron',
  'gateway.json',
  'gateway_state.json',
  'hooks',
  'kanban.db',
  'memories',
  'modal_snapshots.json',
  'pairing',
  'plugins',
  'profiles',
  'sandboxes',
  'sessions',
  'skills',
  'SOUL.md',
] as const;

export interface PlannedMigration extends Migration {
  readonly paths: ConfigPaths;
  /** Files and folders of the original that are there. */
  readonly leftAlone: readonly string[];
}

export async function readMigration({ environment }: CommandContext): Promise<PlannedMigration> {
  const paths = configPaths(environment);
  const [yaml, dotenv, names = []] = await Promise.all([
    readIfThere(paths.config),
    readIfThere(paths.dotenv),
    ifThere(readdir(paths.home)),
  ]);
  const plan = planMigration({
    settings: allSettings(sections),
    environment,
    yamlFile: paths.config,
    dotenvFile: paths.dotenv,
    yaml,
    dotenv,
  });
  return { ...plan, paths, leftAlone: LEFT_ALONE.filter(name => names.includes(name)) };
}
