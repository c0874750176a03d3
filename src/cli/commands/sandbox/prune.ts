// hermes sandbox prune: a sweep by hand.
import type { PruneReport } from '../../../sessions/prune.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { withState } from '../installation.ts';
import { plainLine } from '../wording.ts';

interface Pruned extends PruneReport {
  readonly dryRun: boolean;
}

export const sandboxPrune = defineCommand({
  doc: 'Removes what nobody can use any more: orphans that have no row in the ledger, half-made and failed ones, and those that have been kept for longer than the settings say. Never what is in use, and never what belongs to another installation. A running gateway is not disturbed. Exits 1 when something could not be reached or removed.',
  flags: { dryRun: { type: 'switch', doc: 'only show what would be removed' } },
  args: [],
  examples: [
    ['sandbox prune --dry-run', 'what would go?'],
    ['sandbox prune', 'remove it'],
  ],
  run({ flags }, context): Promise<Pruned> {
    return withState(context, async ({ world, gateway }) => {
      const { dryRun } = flags;
      if (!world || !gateway) return { dryRun, found: [], removed: [], problems: [] };
      const [{ prune }, { configuredBackends }] = await Promise.all([
        import('../../../sessions/prune.ts'),
        import('../../../sessions/configured-backends.ts'),
      ]);
      const backends = await configuredBackends(world);
      const { signal, note: progress } = context;
      const mode = dryRun ? 'look' : 'remove';
      return { dryRun, ...(await prune(world, { backends, gateway, mode, progress, signal })) };
    });
  },
  render: renderPruned,
  exitCode: ({ problems }) => (problems.length === 0 ? 0 : 1),
});

function renderPruned({ dryRun, found, removed, problems }: Pruned, look: Look): string {
  const rows = found.map(({ id, name, backend, reason }) => [
    plainLine(name),
    backend,
    reason,
    dryRun ? 'would be removed' : removed.includes(id) ? 'removed' : look.colors.red('not removed'),
  ]);
  const table =
    rows.length === 0
      ? 'There is nothing to remove.'
      : renderTable(['sandbox', 'backend', 'why', 'outcome'], rows, look);
  const said = problems.map(problem => wrapText(`! ${plainLine(problem)}`, look));
  return [table, ...(said.length > 0 ? ['', ...said] : [])].join('\n');
}
