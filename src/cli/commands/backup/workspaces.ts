// The files of sandboxes for a backup, one archive each. A sandbox that cannot be entered is left out, and said to be.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHermesError } from '../../../base/errors.ts';
import { dropDeadLeases } from '../../../sessions/dead-leases.ts';
import { visitSandbox } from '../../../sessions/visit.ts';
import { packWorkspace } from '../../../sessions/workspace.ts';
import type { CreateOptions, Left } from '../../../store/backup/create.ts';
import { WORKSPACES } from '../../../store/backup/manifest.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { CommandContext } from '../../command.ts';
import { type Opened, withState } from '../installation.ts';

type StageMore = NonNullable<CreateOptions['stageMore']>;

/** Calls `make` with what puts the workspaces into its staging folder. */
export function withWorkspaces<T>(
  context: CommandContext,
  make: (stageMore?: StageMore) => Promise<T>,
): Promise<T> {
  return withState(context, opened =>
    opened.world ? make(staging => stage(opened, context, staging)) : make(),
  );
}

async function stage(
  opened: Opened,
  context: CommandContext,
  staging: string,
): Promise<{ names: string[]; left: Left[] }> {
  const { world, gateway } = opened;
  await mkdir(join(staging, WORKSPACES), { mode: 0o700 });
  await dropDeadLeases(world, gateway);
  const entries = await world.store.ledger.list({ states: ['ready', 'leased', 'suspended'] });
  const [names, left]: [string[], Left[]] = [[], []];
  for (const entry of entries.filter(({ sessionId }) => sessionId !== null)) {
    const name = `${WORKSPACES}/${entry.id}.tar`;
    context.note(`packing the files of ${entry.id} on ${entry.backend}`);
    const why = await packInto(join(staging, name), entry, opened, context);
    if (why === undefined) names.push(name);
    else left.push({ name, why });
  }
  return { names, left };
}

/** Why it is not in the file; undefined when it is. */
async function packInto(
  target: string,
  entry: LedgerEntry,
  { world, gateway }: Opened,
  { signal }: CommandContext,
): Promise<string | undefined> {
  const options = { purpose: 'hermes backup create', ifSuspended: 'wake', gateway, signal } as const;
  try {
    const packed = await visitSandbox(world, entry, options, packWorkspace);
    if (packed.kind === 'left') return packed.why;
    await writeFile(target, packed.archive, { mode: 0o600, flag: 'wx' });
    return undefined;
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return error.message;
  }
}
