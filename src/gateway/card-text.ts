// The card of an approval: the whole command, every finding, and buttons that fit into the smallest platform. Pure (P8).

import type { Decision } from '../approvals/desk.ts';
import type { Question } from '../approvals/question.ts';
import { fenced } from '../base/code-fence.ts';
import type { Button, PlatformCapabilities } from '../platforms/platform.ts';
import type { Approval } from '../store/approvals.ts';
import { cutText } from './cut-text.ts';
import { inlineCode, visible } from './foreign-text.ts';
import type { NewBody } from './outgoing.ts';

const PREFIX = 'a';
/** Enough of the nonce that a button of another question does not fit. */
const NONCE_LETTERS = 8;
const SCOPES = { o: 'once', s: 'session', a: 'always' } as const;
/** Room for what is added when it is settled. */
const MARGIN = 200;

export interface CardButton {
  readonly id: string;
  readonly nonce: string;
  readonly decision: Decision;
}

function buttonsOf({ id, nonce }: Question): readonly (readonly Button[])[] {
  const button = (label: string, letter: string): Button => ({
    label,
    data: [PREFIX, id, nonce.slice(0, NONCE_LETTERS), letter].join(':'),
  });
  return [[button('Once', 'o'), button('Session', 's'), button('Always', 'a')], [button('Deny', 'd')]];
}

/** Undefined when it is another kind of button. */
export function parseCardButton(data: string): CardButton | undefined {
  const [, id, nonce, letter] = /^a:([a-z0-9]+):([a-z0-9]+):([osad])$/.exec(data) ?? [];
  if (id === undefined || nonce === undefined || letter === undefined) return undefined;
  if (letter === 'd') return { id, nonce, decision: { kind: 'deny' } };
  return { id, nonce, decision: { kind: 'approve', scope: SCOPES[letter as keyof typeof SCOPES] } }; // the pattern allows no other letter
}

/** Whether a button belongs to this very question. */
export function isButtonOf({ nonce }: CardButton, approval: Approval): boolean {
  return nonce.length === NONCE_LETTERS && approval.nonce.startsWith(nonce);
}

/** What an owner is shown; a command that does not fit goes along as a file, whole. `name`: of the requester. */
export function cardBodies(
  question: Question,
  { maxText, buttons }: Pick<PlatformCapabilities, 'maxText' | 'buttons'>,
  name?: string,
): readonly NewBody[] {
  const { id, requester, findings } = question;
  const command = visible(question.command);
  const who = name === undefined ? inlineCode(requester) : `${inlineCode(name)} (${inlineCode(requester)})`;
  const head = `**Approval ${id}**\n${who} wants to run:`;
  const reasons = findings.map(({ severity, reason, part }) => {
    return `• ${reason} (${severity}): ${inlineCode(visible(part).replace(/\s*\n\s*/g, ' ⏎ '))}`;
  });
  const answers = buttons
    ? `Or \`/approve ${id} once|session|always\`, \`/deny ${id} reason\`.`
    : `Answer with \`/approve ${id} once|session|always\` or \`/deny ${id} reason\`.`;
  const card = (text: string): NewBody => ({
    kind: 'card',
    text,
    buttons: buttonsOf(question),
    approvalId: id,
  });
  const whole = [head, fenced(command), ...reasons, answers].join('\n');
  if (whole.length <= maxText - MARGIN) return [card(whole)];
  const file = Buffer.from([head, command, ...reasons].join('\n\n'), 'utf8');
  const room = Math.max(200, maxText - MARGIN - head.length - answers.length - 300);
  const [start] = cutText([fenced(command), ...reasons].join('\n'), room);
  const note = `Too long to show here; all of it, ${command.length} characters and ${findings.length} findings, is in the file above. It begins:`;
  return [
    { kind: 'file', name: `approval-${id}.txt`, bytes: file },
    card([head, note, start, answers].join('\n')),
  ];
}

/** The last line of a card that is settled. */
export function settledLine({ state, scope, answeredBy, reason }: Approval): string {
  switch (state) {
    case 'approved':
      return `✔ Approved (${scope ?? 'once'}) by ${answeredBy}.`;
    case 'denied':
      return `✖ Denied by ${answeredBy}${reason ? `: ${reason}` : ''}.`;
    case 'expired':
      return '⌛ Expired: nobody answered in time, and nothing was run.';
    case 'closed':
      return '∅ The run that asked has ended; nothing was run.';
    case 'pending':
      return '… Waiting for an answer.';
  }
}
