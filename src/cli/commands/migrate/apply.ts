// hermes migrate apply: writes translated settings in their own form, after a backup, a diff and a question.
import { join } from 'node:path';
import { HermesError } from '../../../base/errors.ts';
import { withFileLock } from '../../../base/file-lock.ts';
import { ensurePrivateDir, writePrivateFile } from '../../../base/private-files.ts';
import { configInvalid } from '../../../config/problem.ts';
import { readIfThere } from '../../../config/read-file.ts';
import type { CommandContext } from '../../command.ts';
import { defineCommand } from '../../command.ts';
import { openPrompter } from '../prompter.ts';
import { changedLines } from './diff.ts';
import { type PlannedMigration, readMigration } from './plan.ts';

interface Applied {
  /** The files that were written; empty where nothing had to be, or the answer was no. */
  readonly written: readonly string[];
  /** Where the files are as they were before. */
  readonly backup: string | null;
  readonly declined: boolean;
}

export const migrateApply = defineCommand({
  doc: 'Writes what `migrate check` calls translated in the form of this program. It copies both files first, shows the changed lines and asks. Comments stay. Nothing else in the home is touched, and nothing is written while something would stop a start.',
  flags: { yes: { type: 'switch', short: 'y', doc: 'do not ask' } },
  args: [],
  examples: [
    ['migrate apply', 'show the changes, and ask'],
    ['migrate apply --yes', 'for scripts'],
  ],
  async run({ flags }, context): Promise<Applied> {
    const plan = await readMigration(context);
    if (plan.problems.length > 0) throw configInvalid(plan.problems);
    if (plan.changes.length === 0) return { written: [], backup: null, declined: false };
    showChanges(plan, context);
    if (!flags.yes && !(await isConfirmed(context))) return { written: [], backup: null, declined: true };
    return write(plan, context);
  },
  render({ written, backup, declined }) {
    if (declined) return 'Nothing was written.';
    if (written.length === 0) return 'There is nothing to rewrite.';
    return [`Written: ${written.join(', ')}`, `Before: ${backup}`, 'Next: hermes config check'].join('\n');
  },
});

function showChanges({ changes }: PlannedMigration, { note }: CommandContext): void {
  for (const change of changes) {
    note([change.file, ...changedLines(change).map(({ sign, text }) => `${sign} ${text}`)].join('\n'));
  }
}

async function isConfirmed(context: CommandContext): Promise<boolean> {
  if (!context.terminal().isTyped) {
    throw new HermesError('USAGE_BAD_ARGUMENTS', 'Nobody can be asked here. Add --yes to write the changes.');
  }
  const prompter = openPrompter(context);
  try {
    return await prompter.confirm('Write these changes?');
  } finally {
    prompter.close();
  }
}

/** Each file is whole at every moment, and is written only if it is still what the plan was made of. */
async function write({ changes, paths }: PlannedMigration, { clock }: CommandContext): Promise<Applied> {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const backup = join(paths.home, 'backups', `before-migration-${stamp}`);
  await ensurePrivateDir(join(paths.home, 'backups'));
  await ensurePrivateDir(backup);
  for (const { file, before } of changes) await writePrivateFile(join(backup, nameIn(paths, file)), before);
  for (const { file, before, after } of changes) {
    await withFileLock(file, clock, async () => {
      if ((await readIfThere(file)) !== before) {
        throw new HermesError(
          'CONFIG_NOT_SAVED',
          `${file} has changed meanwhile and was not written. Try again.`,
          {
            details: { file },
          },
        );
      }
      await writePrivateFile(file, after);
    });
  }
  return { written: changes.map(({ file }) => file), backup, declined: false };
}

function nameIn({ config }: PlannedMigration['paths'], file: string): string {
  return file === config ? 'config.yaml' : '.env';
}
