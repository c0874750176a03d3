// hermes sandbox logs: what was done in a sandbox, and what its background processes wrote.

import { isHermesError } from '../../../base/errors.ts';
import { stripAnsi } from '../../../base/strip-ansi.ts';
import { dropDeadLeases } from '../../../sessions/dead-leases.ts';
import type { AuditEntry } from '../../../store/audit.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { ProcessRecord } from '../../../store/processes.ts';
import type { ToolSandbox } from '../../../tools/tool.ts';
import { type CommandContext, defineCommand, type Look } from '../../command.ts';
import { wrapText } from '../../table.ts';
import { findSandbox } from '../find-by-id.ts';
import { type Opened, withWorld } from '../installation.ts';
import { readAudit, renderAudit } from '../read-audit.ts';
import { shortened, timeText } from '../wording.ts';
import { enterSandbox } from './enter-sandbox.ts';
import { sandboxArgument, visitFlags } from './visit-flags.ts';

const LAST = 50;
const LOG_LINES = 20;

interface LoggedProcess
  extends Pick<ProcessRecord, 'id' | 'command' | 'state' | 'code' | 'startedAt' | 'endedAt'> {
  /** The end of what it wrote; null when that cannot be read now. */
  readonly log: string | null;
}

interface Logs {
  readonly sandbox: string;
  readonly entries: readonly AuditEntry[];
  readonly processes: readonly LoggedProcess[];
  /** Why no log could be read. */
  readonly unread: string | null;
}

export const sandboxLogs = defineCommand({
  doc: 'Shows what was done in a sandbox, by whom and with which outcome, and its background processes with the last lines that they wrote.',
  flags: {
    ...visitFlags,
    last: { type: 'number', value: 'count', doc: `how many entries; else ${LAST}` },
  },
  args: [sandboxArgument],
  examples: [
    ['sandbox logs k3v9', 'the last entries'],
    ['sandbox logs k3v9 --last 500 --json', 'more of them, for programs'],
  ],
  run({ args, flags }, context): Promise<Logs> {
    return withWorld(context, args.id, async opened => {
      const { store, redact } = opened.world;
      await dropDeadLeases(opened.world, opened.gateway);
      const entry = await findSandbox(store, args.id);
      const records = await store.processes.list(entry.id);
      const read =
        records.length === 0 ? new Map() : await readLogs(context, opened, { entry, wake: flags.wake });
      const session = entry.sessionId === null ? {} : { sessionId: entry.sessionId };
      return {
        sandbox: entry.id,
        entries: await readAudit(store, { ...session, sandboxId: entry.id, last: flags.last ?? LAST }),
        processes: records.map(({ id, command, state, code, startedAt, endedAt }) => {
          const log = read instanceof Map ? (read.get(id) ?? null) : null;
          return { id, command, state, code, startedAt, endedAt, log: log === null ? null : redact(log) };
        }),
        unread: read instanceof Map ? null : read,
      };
    });
  },
  render: renderLogs,
});

/** By the id of the process, or why nothing can be read. */
async function readLogs(
  context: CommandContext,
  opened: Opened,
  { entry, wake }: { readonly entry: LedgerEntry; readonly wake: boolean },
): Promise<Map<string, string> | string> {
  try {
    const entering = { entry, wake, purpose: 'hermes sandbox logs', subject: entry.id, work: logsOf };
    return await enterSandbox(context, opened, entering);
  } catch (error) {
    // What the store knows is told all the same.
    if (!isHermesError(error) || error.code === 'BUG_UNEXPECTED') throw error;
    return error.message;
  }
}

async function logsOf(handle: ToolSandbox['handle']): Promise<Map<string, string>> {
  const logs = new Map<string, string>();
  for (const process of await handle.processes()) {
    const text = new TextDecoder().decode(await process.log());
    logs.set(process.id, text.trimEnd().split('\n').slice(-LOG_LINES).join('\n'));
  }
  return logs;
}

function renderLogs({ entries, processes, unread }: Logs, look: Look): string {
  const { bold, dim } = look.colors;
  const done = entries.length === 0 ? 'Nothing was done in it.' : renderAudit(entries, look);
  const parts = processes.map(({ id, command, state, code, startedAt, log }) => {
    const how = code === null ? state : `${state} ${code}`;
    const head = `${bold(id)} ${how}, since ${timeText(startedAt)}\n  ${shortened(command, look.columns - 2)}`;
    const lines = (log ?? '').split('\n').filter(line => line !== '');
    return [head, ...lines.map(line => dim(`  | ${stripAnsi(line.replaceAll('\r', ''))}`))].join('\n');
  });
  const why =
    unread === null ? [] : ['', wrapText(`The logs of its processes cannot be read now. ${unread}`, look)];
  return [done, ...(parts.length > 0 ? ['', 'Background processes:', ...parts] : []), ...why].join('\n');
}
