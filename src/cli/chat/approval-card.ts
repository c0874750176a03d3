// An approval as the terminal shows it: the whole command, every finding, and nothing that could deceive the eye.
import type { Question } from '../../approvals/question.ts';
import type { Look } from '../command.ts';

export function approvalCard({ command, findings }: Question, { colors }: Look): string {
  const paint = { high: colors.red, medium: colors.yellow, low: colors.dim } as const;
  return [
    colors.bold('The agent wants to run:'),
    ...visible(command)
      .split('\n')
      .map(line => `  ${colors.cyan(line)}`),
    ...findings.map(({ severity, reason, part }) =>
      `${paint[severity]('•')} ${visible(reason)} (${severity}): ${visible(part)}`.replaceAll('\n', '\n    '),
    ),
  ].join('\n');
}

/** Characters that control the terminal, change the direction or cannot be seen are written out. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(
      /[^\P{C}\n\t]|[\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]/gu,
      one => `<${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}
