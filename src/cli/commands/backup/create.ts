// hermes backup create: state and configuration in one private file, while the gateway runs or not.
import { HermesError } from '../../../base/errors.ts';
import type { MadeBackup } from '../../../store/backup/create.ts';
import { defineCommand, type Look } from '../../command.ts';
import { contentsText, homeOf, sizeText } from './place.ts';

interface Made extends MadeBackup {
  /** Older ones that `--keep` has removed. */
  readonly removed: readonly string[];
}

export const backupCreate = defineCommand({
  doc: 'Writes the state and the configuration into one file (0600) in the folder backups of the home, with a checksum of every file in it. The gateway may run meanwhile. Secrets of .env are not in it unless you say so; conversations are, so keep it to yourself.',
  flags: {
    withSecrets: { type: 'switch', doc: 'also .env: whoever has the file then has your keys' },
    withWorkspaces: { type: 'switch', doc: 'also the files of sandboxes; suspended ones are woken for it' },
    keep: { type: 'number', value: 'count', doc: 'afterwards keep only so many, this one included' },
  },
  args: [],
  examples: [
    ['backup create', 'state and configuration'],
    ['backup create --with-secrets', 'everything that a new machine needs'],
    ['backup create --keep 14', 'for a daily job'],
  ],
  async run({ flags }, context): Promise<Made> {
    const { keep } = flags;
    if (keep !== undefined && (!Number.isInteger(keep) || keep < 1))
      throw new HermesError('USAGE_BAD_ARGUMENTS', `--keep takes a whole number from 1 on, not ${keep}.`);
    const home = homeOf(context);
    const { createBackup, keepNewest } = await import('../../../store/backup/create.ts');
    const { clock } = context;
    const make = (stageMore?: Parameters<typeof createBackup>[0]['stageMore']) =>
      createBackup({
        ...{ home, clock, reason: 'asked', secrets: flags.withSecrets ? 'included' : 'left out' },
        ...(stageMore ? { stageMore } : {}),
      });
    const made = flags.withWorkspaces
      ? await (await import('./workspaces.ts')).withWorkspaces(context, make)
      : await make();
    if (!made) throw new HermesError('BUG_UNEXPECTED', 'No backup was made.');
    return { ...made, removed: keep === undefined ? [] : await keepNewest(home, 'asked', keep) };
  },
  render: renderMade,
});

function renderMade({ file, bytes, sha256, contents, left, removed }: Made, { colors }: Look): string {
  const secrets = contents.secrets
    ? colors.yellow('Secrets of .env are in it: whoever has this file has your keys.')
    : 'Secrets of .env are not in it (--with-secrets).';
  return [
    `${file}`,
    `${sizeText(bytes)}: ${contentsText(contents)}`,
    `sha256 ${sha256}`,
    secrets,
    ...left.map(({ name, why }) => colors.yellow(`not in it: ${name}: ${why}`)),
    ...(removed.length === 0 ? [] : [`${removed.length} older removed.`]),
  ].join('\n');
}
