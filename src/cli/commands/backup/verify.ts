// hermes backup verify: whether a backup could be restored.
import type { VerifiedBackup } from '../../../store/backup/verify.ts';
import { defineCommand, type Look } from '../../command.ts';
import { timeText } from '../wording.ts';
import { contentsText, fileArgument, fileOf, homeOf } from './place.ts';

export const backupVerify = defineCommand({
  doc: 'Reads a backup whole, holds every file in it against its checksum, and examines the database page by page. Exits 1 when it is damaged.',
  flags: {},
  args: [fileArgument],
  examples: [
    ['backup verify hermes-20261115-162955-k3v9.tar.gz', 'one of this installation'],
    ['backup verify /mnt/copy/hermes-20261115-162955-k3v9.tar.gz', 'a copy of it elsewhere'],
  ],
  async run({ args }, context): Promise<VerifiedBackup> {
    const { verifyBackup } = await import('../../../store/backup/verify.ts');
    const home = homeOf(context);
    return verifyBackup(home, context.clock, fileOf(home, args.file));
  },
  render: renderVerified,
  exitCode: ({ ok }) => (ok ? 0 : 1),
});

function renderVerified(verified: VerifiedBackup, { colors }: Look): string {
  const { file, problem, sha256, madeAt, contents, left } = verified;
  if (contents === null) return `${file}\n${colors.red('damaged')}: ${problem}`;
  return [
    file,
    `${colors.green('sound')}: ${contentsText(contents)}, made ${timeText(madeAt ?? 0)}`,
    `sha256 ${sha256}`,
    ...left.map(({ name, why }) => colors.yellow(`not in it: ${name}: ${why}`)),
  ].join('\n');
}
