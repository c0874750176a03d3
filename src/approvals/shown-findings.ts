// Findings as others may see them: people on a card, a model, a terminal. A part is a piece of the command, so what is
// hidden in the command must be hidden in it too (P7).
import type { Finding } from '../risk/finding.ts';

const HIDDEN = '[redacted: a part of what is hidden in the command]';

export interface Shown {
  readonly command: string;
  readonly findings: readonly Finding[];
}

/** Command and findings with nothing in them that `redact` would hide. */
export function shownFindings({ command, findings }: Shown, redact: (text: string) => string): Shown {
  const whole = redact(command);
  return { command: whole, findings: findings.map(finding => shown(finding, { command, whole, redact })) };
}

function shown(
  finding: Finding,
  { command, whole, redact }: { command: string; whole: string; redact: (text: string) => string },
): Finding {
  const part = redact(finding.part);
  // Only what stands around it may have told that it is a secret.
  const isCut = command.includes(finding.part) && !whole.includes(part);
  return {
    ...finding,
    reason: redact(finding.reason),
    part: isCut ? HIDDEN : part,
    ...(finding.paths ? { paths: finding.paths.map(redact) } : {}),
  };
}
