// hermes sandbox verify: tries to break out of a sandbox of the operator's own configuration.
import type { VerifyReport, VerifyRow } from '../../../containment/verify.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { chosenPolicy } from '../chosen-policy.ts';
import { policySpec } from '../policy-spec.ts';

export const sandboxVerify = defineCommand({
  doc: 'Makes a sandbox as messaging sessions get it, tries to break out of it in every known way, and says of each attempt what was expected and what was found. Attempts that succeed do no harm. Exits 1 when anything is worse than expected. What is not contained, or not enforceable here, counts as exposure.',
  flags: {
    backend: {
      type: 'text',
      value: 'name',
      doc: 'which backend; else gateway.terminal_backend, else terminal.backend, else auto',
    },
  },
  args: [],
  examples: [
    ['sandbox verify', 'the backend that is configured'],
    ['sandbox verify --backend bubblewrap', 'another one'],
    ['sandbox verify --set gateway.sandbox_network=open', 'with a network'],
    ['sandbox verify --json', 'for programs'],
  ],
  async run({ flags }, context) {
    const config = await context.config(
      flags.backend === undefined
        ? {}
        : { 'gateway.terminal_backend': { flag: '--backend', text: flags.backend } },
    );
    const policy = await chosenPolicy(config, 'messaging', context);
    const name = policy.backend.value;
    const [{ createBackend }, { verifyContainment }, { allProbes }, { ownAddresses }] = await Promise.all([
      import('../../../compose.ts'),
      import('../../../containment/verify.ts'),
      import('../../../containment/all-probes.ts'),
      import('../../../containment/addresses.ts'),
    ]);
    context.note(`${allProbes.length} probes on ${name}; this takes up to a minute.`);
    return verifyContainment({
      makeBackend: planted =>
        createBackend(name, config, {
          environment: { ...context.environment, [planted.name]: planted.value },
          progress: context.note,
        }),
      spec: backend => policySpec(policy, config, backend.capabilities),
      probes: allProbes,
      addresses: ownAddresses(),
      clock: context.clock,
      signal: context.signal,
    });
  },
  render: renderReport,
  exitCode: ({ summary }) => (summary.unexpected === 0 ? 0 : 1),
});

function renderReport(report: VerifyReport, look: Look): string {
  const table = renderTable(
    ['probe', 'expected', 'found'],
    report.rows.map(row => cells(row, look)),
    look,
  );
  return [...warning(report, look), table, '', summary(report, look)].join('\n');
}

function cells({ id, expected, verdict, found, ok }: VerifyRow, { colors }: Look): string[] {
  const paint = !ok ? colors.red : verdict === 'contained' ? colors.green : colors.yellow;
  return [ok ? id : colors.red(`! ${id}`), expected, paint(`${verdict}: ${found}`)];
}

const NOTHING = {
  none: 'THIS BACKEND CONTAINS NOTHING.\nCommands run on this machine, with the rights of Hermes.',
  remote:
    'THIS BACKEND CONTAINS NOTHING.\nCommands run on the other machine, with the rights of the account there.',
} as const;

function warning({ isolation }: VerifyReport, { colors }: Look): string[] {
  if (isolation !== 'none' && isolation !== 'remote') return [];
  return [colors.bold(colors.red(NOTHING[isolation])), ''];
}

function summary({ backend, network, rows, summary: counts }: VerifyReport, { colors }: Look): string {
  const text = `${rows.length} probes on ${backend}, network ${network}:\n${counts.contained} contained, ${counts['not contained']} not contained, ${counts['not enforceable here']} not enforceable here.`;
  const judgement =
    counts.unexpected === 0
      ? 'Nothing is worse than expected.'
      : colors.red(`${counts.unexpected} worse than expected, marked with !.`);
  return `${text}\n${judgement}`;
}
