// What the process needs of the part that talks to people. The process starts it last and stops it first.
import type { AnswerOutcome, Decision } from '../../approvals/desk.ts';
import type { Connection, Invitation, PlatformState } from '../../platforms/platform.ts';

export interface PlatformStatus {
  readonly name: string;
  readonly state: PlatformState['kind'] | 'connecting';
  /** As the connection calls itself, such as `connected as @hermes_bot`. */
  readonly account?: string;
  /** Why it is not connected. */
  readonly reason?: string;
}

export interface HeartStatus {
  readonly platforms: readonly PlatformStatus[];
  readonly runs: { readonly active: number; readonly waiting: number };
  /** Sums since the start by a name such as `messages_received`; `/metrics` shows them. */
  readonly counters?: Readonly<Record<string, number>>;
}

export interface Heart {
  /**
   * Resolves when every platform has been tried; one that fails does not keep the others from working. Throws when there is
   * none that could ever work.
   */
  start(): Promise<void>;
  /** Takes no more messages, tells the chats of runs, and waits for them until the signal aborts. */
  stop(options: { readonly signal: AbortSignal }): Promise<void>;
  status(): HeartStatus | Promise<HeartStatus>;
  /** What is dangerous about who may speak; said at every start and repeated by every status. */
  warnings?(): readonly string[];
  /**
   * Said once to whoever has started the gateway, and never logged, such as the code that claims the first owner. What a
   * `journal` keeps has no code in it.
   */
  greeting?(reader: 'person' | 'journal'): readonly string[] | Promise<readonly string[]>;
  /** A link for the owner into the first chat that lets people in by links; undefined when there is none. */
  ownerLink?(): Promise<Invitation | undefined>;
  /** A new code that claims the first owner; undefined when there is one. */
  openClaim?(): Promise<string | undefined>;
  /** Whoever waits for it goes on at once. Absent = the answer is written down and found there. */
  answerApproval?(id: string, decision: Decision, who?: string): Promise<AnswerOutcome>;
  /** Somebody was allowed, denied or paired by a command: what waited for that is looked at again. */
  peopleChanged?(): Promise<void>;
  /** An entry of the allowlist was taken back by a command: it is asked about again. */
  revokeAllowed?(entry: string): void;
  /** Of a platform that is connected. */
  connection?(platform: string): Connection | undefined;
}
