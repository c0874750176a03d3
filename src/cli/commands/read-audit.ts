// The newest entries of the audit, which the store gives oldest first and page by page.
import type { AuditEntry, AuditFilter } from '../../store/audit.ts';
import type { Store } from '../../store/store.ts';
import type { Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { shortened, timeText } from './wording.ts';

const PAGE = 1000;
/** As much of a command as a table shows; `--json` has all of it. */
const SHOWN = 400;

export interface AuditQuery extends Pick<AuditFilter, 'since' | 'sessionId'> {
  readonly sandboxId?: string;
  /** How many of the newest. */
  readonly last: number;
}

/** Oldest first. */
export async function readAudit(
  { audit }: Store,
  { sandboxId, last, ...filter }: AuditQuery,
): Promise<readonly AuditEntry[]> {
  let kept: AuditEntry[] = [];
  let after: number | undefined;
  for (;;) {
    const page = await audit.list({ ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) });
    const wanted = page.filter(entry => sandboxId === undefined || entry.sandboxId === sandboxId);
    kept = [...kept, ...wanted].slice(-last);
    after = page.at(-1)?.seq;
    if (page.length < PAGE) return kept;
  }
}

export function renderAudit(entries: readonly AuditEntry[], look: Look): string {
  const rows = entries.map(({ at, actor, action, subject, outcome }) => [
    timeText(at),
    shortened(actor, 40),
    action === 'command' ? shortened(subject, SHOWN) : `${action}: ${shortened(subject, SHOWN)}`,
    shortened(outcome, 40),
  ]);
  return renderTable(['time', 'who', 'what', 'outcome'], rows, look);
}
