// hermes run --keep and --in: a sandbox that stays for later commands, and what is said of it.
import { existsSync } from 'node:fs';
import { HermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import { type KeptSandbox, openKeptSandbox } from '../../sessions/kept-sandbox.ts';
import type { LedgerEntry } from '../../store/ledger.ts';
import { stateFile } from '../../store/state-file.ts';
import type { CommandContext } from '../command.ts';
import { findSandbox } from './find-by-id.ts';
import { endOverdueHere, openForCommand } from './installation.ts';
import type { SandboxFlags } from './sandbox-flags.ts';
import { timeText } from './wording.ts';

export interface KeptRun {
  readonly kept: KeptSandbox;
  readonly timeoutMs: number;
  close(): Promise<void>;
}

export async function openKeptForRun(
  flags: SandboxFlags & { readonly in: string | undefined },
  context: CommandContext,
): Promise<KeptRun> {
  const entry = flags.in === undefined ? undefined : await sought(flags.in, context);
  if (entry && flags.backend !== undefined && flags.backend !== entry.backend) {
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      `The sandbox ${entry.id} is on ${entry.backend}. Leave out --backend, or --in.`,
    );
  }
  // It is used where it is, whatever the settings say about new ones.
  const backend = entry?.backend ?? flags.backend;
  const config = await context.config(
    backend === undefined
      ? {}
      : { 'terminal.backend': { flag: entry ? '--in' : '--backend', text: backend } },
  );
  const installation = await openForCommand(config, context);
  const { world } = installation;
  const { signal } = context;
  try {
    const kept = await openKeptSandbox(world, {
      ...{ purpose: 'hermes run', signal },
      ...(entry ? { entry } : {}),
    });
    return {
      kept,
      timeoutMs: config.get('terminal.timeout') * 1000,
      async close() {
        try {
          for (const text of kept.lease.takeNotices()) context.note(text);
          sayKept(await kept.close(), context);
          await endOverdueHere(world, config, context);
        } finally {
          await installation.close();
        }
      },
    };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

async function sought(id: string, context: CommandContext): Promise<LedgerEntry> {
  const config = await context.config();
  refuseWithoutState(id, config);
  const installation = await openForCommand(config, context);
  try {
    return await findSandbox(installation.world.store, id);
  } finally {
    await installation.close();
  }
}

function refuseWithoutState(id: string, { paths: { home } }: HermesConfig): void {
  if (existsSync(stateFile(home))) return;
  throw new HermesError('USAGE_UNKNOWN_ID', `There is no sandbox ${id}: nothing was ever made in ${home}.`);
}

function sayKept(left: Awaited<ReturnType<KeptSandbox['close']>>, { note }: CommandContext): void {
  if (!left) return;
  const until = left.overAt === undefined ? '' : ` until ${timeText(left.overAt)}`;
  note(
    `The sandbox ${left.id} is kept${until}. Run in it: hermes run --in ${left.id} -- COMMAND. Remove it: hermes sandbox destroy ${left.id}`,
  );
}
