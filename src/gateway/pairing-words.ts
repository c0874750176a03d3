// What strangers are told, and the card about them that owners get. Pure.
import type { OutgoingText } from '../platforms/platform.ts';
import type { Pairing } from '../store/pairings.ts';
import type { Ownership } from './claim.ts';
import { inlineCode, quoted } from './foreign-text.ts';
import { personOf } from './person-name.ts';

export type CardAnswer = 'allow' | 'deny';

/** Short: some platforms carry 64 bytes. */
const DATA: Readonly<Record<CardAnswer, string>> = { allow: 'pair+', deny: 'pair-' };

/** The request that a button belongs to; undefined when it is another card's. */
export function readCard(data: string): { readonly id: string; readonly answer: CardAnswer } | undefined {
  const [head, id, ...rest] = data.split(':');
  if (id === undefined || rest.length > 0) return undefined;
  if (head === DATA.allow) return { id, answer: 'allow' };
  return head === DATA.deny ? { id, answer: 'deny' } : undefined;
}

/** Names are not to be trusted, so that the exact id stands beside. */
export function requestCard(pairing: Pairing, message: string): OutgoingText {
  const { id, name } = pairing;
  return {
    text: [
      `${inlineCode(name)} (${inlineCode(personOf(pairing))}) would like to talk to the agent, and wrote:`,
      quoted(message),
      `Allow: their message is answered. Deny: they hear nothing, and you are not asked again. Without buttons: \`/approve ${id}\` or \`/deny ${id}\`.`,
    ].join('\n'),
    buttons: [
      [
        { label: 'Allow', data: `${DATA.allow}:${id}` },
        { label: 'Deny', data: `${DATA.deny}:${id}` },
      ],
    ],
  };
}

/** How the card reads once it is answered. */
export function answeredText(pairing: Pairing, answer: CardAnswer): string {
  const who = `${inlineCode(pairing.name)} (${inlineCode(personOf(pairing))})`;
  return answer === 'allow' ? `${who} is allowed.` : `${who} is denied.`;
}

export const GONE =
  'This request is over: it was answered, its hour has passed, or it gave way to others. `hermes people allow` lets somebody in at any time.';

export const REPLACED = 'They have written something else since. Look at the card again.';

export const NOT_OWNER = 'Only an owner can answer this.';

export interface CodeWords {
  readonly platform: string;
  readonly code: string;
  /** Whether there is somebody to decide. */
  readonly ownership: Ownership;
}

const OURS: Readonly<Record<Ownership, string>> = {
  owned: 'Only an owner can let you in.',
  claimable:
    'If this is your installation: send `/claim` and the code that its start printed; a wrong one gets no answer.',
  unclaimed:
    'Nobody owns this installation yet. If it is yours: `hermes gateway claim` gives you a code to send me.',
};

export function codeText({ platform, code, ownership }: CodeWords): string {
  return [
    `I do not know you yet. ${OURS[ownership]} Your pairing code is \`${code}\`; it can be used for one hour:`,
    `\`hermes pairing approve ${platform} ${code}\``,
    'Then I answer your message; there is no need to send it again.',
  ].join('\n');
}

export function fullText(minutes: number, person: string): string {
  const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return `I do not know you yet, and several others are asking to be let in. Try again ${when}, or ask the owner to run ${inlineCode(`hermes people allow ${person}`)}.`;
}

export const CLAIMED =
  'You are the owner of this installation now. Requests of others and questions about commands come to you.';
export const NOT_CLAIMED =
  'That is not the code, or it is too late. `hermes gateway claim` gives the operator a new one.';
