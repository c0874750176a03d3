// hermes backup list: which backups there are, and what each holds.
import { basename } from 'node:path';
import type { ListedBackup } from '../../../store/backup/list.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { ageText } from '../wording.ts';
import { contentsText, homeOf, sizeText } from './place.ts';

interface Listed {
  readonly now: number;
  readonly folder: string;
  readonly backups: readonly ListedBackup[];
}

export const backupList = defineCommand({
  doc: 'Lists the backups of this installation, newest first. Only their beginnings are read; `backup verify` reads one whole.',
  flags: {},
  args: [],
  examples: [
    ['backup list', 'what can be restored?'],
    ['backup list --json', 'for programs'],
  ],
  async run(_input, context): Promise<Listed> {
    const [{ listBackups }, { backupFolder }] = await Promise.all([
      import('../../../store/backup/list.ts'),
      import('../../../store/backup/folder.ts'),
    ]);
    const home = homeOf(context);
    return { now: context.clock.now(), folder: backupFolder(home), backups: await listBackups(home) };
  },
  render: renderListed,
});

function renderListed({ now, folder, backups }: Listed, look: Look): string {
  if (backups.length === 0) return `There are none in ${folder}. \`hermes backup create\` makes one.`;
  const rows = backups.map(({ file, bytes, contents, reason, madeAt }) => [
    basename(file),
    ageText(madeAt, now),
    sizeText(bytes),
    contents === null ? look.colors.red('cannot be read') : contentsText(contents),
    reason === 'before-migration' ? 'before an update' : '',
  ]);
  return renderTable(['backup', 'ago', 'size', 'holds', 'made'], rows, look);
}
