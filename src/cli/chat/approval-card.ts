// An approval as the terminal shows it: the whole command, every finding, and nothing that could deceive the eye.
import type { Asked } from '../../approvals/question.ts';
import type { Look } from '../command.ts';
import { framed } from './framed.ts';

/** From that many rows on the beginning may have left the screen. */
const LONG_ROWS = 20;

export function approvalCard(asked: CardParts, look: Look): string {
  return card('The agent wants to run:', asked, look);
}

/** With `--yolo`: what would have been asked, before it runs. */
export function yoloCard(asked: CardParts, look: Look): string {
  return card('⚠ --yolo: this runs without a question:', asked, look);
}

type CardParts = Pick<Asked, 'command' | 'findings'>;

function card(title: string, { command, findings }: CardParts, { colors, columns }: Look): string {
  const paint = { high: colors.red, medium: colors.yellow, low: colors.dim } as const;
  const rows = [
    ...framed(command, columns).map(colors.cyan),
    ...findings.flatMap(({ severity, reason, part }) =>
      framed(`• ${reason} (${severity}): ${part}`, columns).map(paint[severity]),
    ),
  ];
  const end = rows.length > LONG_ROWS ? [`└ ${rows.length} lines; look at all of them`] : [];
  return [colors.bold(title), ...rows, ...end].join('\n');
}
