// hermes approvals list: what waits for an owner's answer.
import { shownFindings } from '../../../approvals/shown-findings.ts';
import type { Finding } from '../../../risk/finding.ts';
import type { Approval } from '../../../store/approvals.ts';
import { defineCommand } from '../../command.ts';
import { withState } from '../installation.ts';
import { ageText } from '../wording.ts';

export const approvalsList = defineCommand({
  doc: 'Lists the questions that wait for an answer, each with the whole command and everything that was found in it.',
  flags: {},
  args: [],
  examples: [
    ['approvals list', 'what is pending'],
    ['approvals list --json', 'for programs'],
  ],
  run: (_input, context) =>
    withState(context, async ({ world }) => ({
      now: context.clock.now(),
      approvals: world ? (await world.store.approvals.pending()).map(each => shown(each, world.redact)) : [],
    })),
  render: ({ now, approvals }) =>
    approvals.length === 0
      ? 'Nothing waits for an answer.'
      : approvals.map(each => question(each, now)).join('\n\n'),
});

/** Whole, but for secrets: nobody needs them to decide, and a terminal is a way out (P7). */
function shown(approval: Approval, redact: (text: string) => string): Approval {
  const findings = approval.findings as readonly Finding[]; // as the desk wrote them
  return { ...approval, ...shownFindings({ command: approval.command, findings }, redact) };
}

function question({ id, requester, sessionId, command, findings, askedAt }: Approval, now: number): string {
  const found = findings as readonly { readonly reason: string; readonly severity: string }[]; // as the desk wrote them
  return [
    `${id}  ${requester}, session ${sessionId}, asked ${ageText(askedAt, now)}`,
    ...command.split('\n').map(line => `    ${line}`),
    ...found.map(({ reason, severity }) => `  • ${reason} (${severity})`),
  ].join('\n');
}
