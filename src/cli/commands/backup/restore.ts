// hermes backup restore: puts a backup in the place of what is there.
import type { Restored } from '../../../store/backup/restore.ts';
import { defineCommand } from '../../command.ts';
import { timeText } from '../wording.ts';
import { fileArgument, fileOf, homeOf } from './place.ts';

export const backupRestore = defineCommand({
  doc: 'Verifies a backup and puts it in the place of what is there. Refused while a gateway runs. What was there is kept in a folder beside it. Without secrets in the backup .env stays as it is.',
  flags: {},
  args: [fileArgument],
  examples: [
    ['backup restore hermes-20261115-162955-k3v9.tar.gz', 'back to that moment'],
    ['backup restore /mnt/copy/hermes-20261115-162955-k3v9.tar.gz', 'on a new machine'],
  ],
  async run({ args }, context): Promise<Restored> {
    const [{ restoreBackup }, { gatewayLock }, { restoredNotice }] = await Promise.all([
      import('../../../store/backup/restore.ts'),
      import('../../../sessions/gateway-lock.ts'),
      import('../../../gateway/restored-state.ts'),
    ]);
    const home = homeOf(context);
    const { clock } = context;
    const file = fileOf(home, args.file);
    const restored = await restoreBackup({
      ...{ home, file, clock, gatewayLock: gatewayLock(home) },
      notice: restoredNotice,
    });
    context.warn(
      'Sandboxes that were made after this backup are not known to it; the gateway removes them at its next start, with their files.',
    );
    return restored;
  },
  render: renderRestored,
});

function renderRestored(restoredState: Restored): string {
  const { madeAt, contents, restored, aside, workspaces, interruptedChats } = restoredState;
  return [
    `Restored ${restored.join(', ')} of ${timeText(madeAt)}.`,
    ...(aside === null ? [] : [`What was there before: ${aside}`]),
    ...(contents.secrets ? [] : ['Secrets are not in this backup; .env was left as it is.']),
    ...(workspaces === null
      ? []
      : [
          `Files of sandboxes, an archive each: ${workspaces}`,
          'Put one back with: hermes sandbox put SANDBOX FILE, and unpack it there with tar -xf.',
        ]),
    ...(interruptedChats === 0
      ? []
      : [
          `Chats with work in progress then: ${interruptedChats}. It is not repeated; the gateway tells them at its next start.`,
        ]),
    'Next: hermes doctor, then hermes gateway start',
  ].join('\n');
}
