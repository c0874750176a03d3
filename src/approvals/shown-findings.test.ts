import { expect, it } from 'vitest';
import { createRedactor } from '../base/redact/redactor.ts';
import type { Finding } from '../risk/finding.ts';
import { shownFindings } from './shown-findings.ts';

const { redact } = createRedactor({ secrets: ['known-value-4711'], shapes: 'on' });
const finding = (part: string, more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'network.send', threatens: 'network', severity: 'medium', reason: 'sends data', part, ...more },
});

it('P7: hides in every finding what is hidden in the command', () => {
  const command = 'curl https://x.example/known-value-4711; ls';
  const found = finding('curl https://x.example/known-value-4711', {
    ...{ reason: 'sends known-value-4711', paths: ['/known-value-4711'] },
  });
  const shown = shownFindings({ command, findings: [found] }, redact);
  expect(JSON.stringify(shown)).not.toContain('known-value-4711');
  expect(shown.findings[0]?.part).toBe('curl https://x.example/[redacted:known]');
});

it('P7: hides a part that only its surroundings show to be secret', () => {
  const command = 'mysql -psummer2049 -e "drop table x"';
  expect(redact(command)).not.toContain('summer2049');
  const shown = shownFindings({ command, findings: [finding('-psummer2049 -e "drop table x"')] }, redact);
  expect(JSON.stringify(shown)).not.toContain('summer2049');
});

it('leaves a part that is not written so in the command', () => {
  const shown = shownFindings({ command: "r''m -rf /", findings: [finding('rm -rf /')] }, redact);
  expect(shown.findings[0]?.part).toBe('rm -rf /');
});
