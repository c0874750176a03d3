// A question to a human about one exact action: all of it is shown, nothing is shortened (P8).
import type { Finding } from '../risk/finding.ts';

export interface Asked {
  readonly sessionId: string;
  readonly sandboxId?: string;
  readonly runId: string;
  /** Whose message led to it, such as `telegram:123`. */
  readonly requester: string;
  readonly command: string;
  readonly findings: readonly Finding[];
}

export interface Question extends Asked {
  readonly id: string;
  readonly nonce: string;
  readonly expiresAt: number;
}

export type Verdict =
  | { readonly kind: 'approved'; readonly scope: 'once' | 'session' | 'always'; readonly by: string }
  /** The reason is for the model as well. */
  | { readonly kind: 'denied'; readonly reason: string };

/** The text for a chat or a terminal; `answers` says how to answer there. */
export function questionText({ id, command, findings, requester }: Question, answers: string): string {
  const reasons = findings.map(({ severity, reason, part }) => `• ${reason} (${severity}): ${part}`);
  return [`Approval ${id}: ${requester} wants to run`, '', command, '', ...reasons, '', answers].join('\n');
}
