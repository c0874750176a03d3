// What the gateway is made of: given once, passed on, never global (P3).
import type { Perform } from '../agent/deed.ts';
import type { AgentEvent, Turn } from '../agent/events.ts';
import type { ApprovalDesk } from '../approvals/desk.ts';
import type { HermesError } from '../base/errors.ts';
import type { SettingsReader } from '../base/setting.ts';
import type { Platform, PlatformEvent } from '../platforms/platform.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { SessionUsage } from '../store/runs.ts';
import type { Session } from '../store/sessions.ts';
import type { Address } from './address.ts';
import type { Link } from './links.ts';
import type { section } from './settings.ts';

/** Somebody who may speak here. */
export interface Admitted {
  /** Such as `telegram:123`. */
  readonly person: string;
  readonly name: string;
  readonly role: 'owner' | 'user';
}

/** Decides who may speak, before anything else happens (P1). */
export interface Admission {
  /** Undefined when nothing more may happen with the event: a stranger's, or one that admission was meant for. */
  admit(event: PlatformEvent, from: Link): Promise<Admitted | undefined>;
  /** What somebody such as `telegram:123` may do now; undefined when they may not speak any more. */
  roleOf(person: string): Promise<Admitted['role'] | undefined>;
  /** Where owners are reached in private. */
  ownerChats(): Promise<readonly Address[]>;
  /** Gives the held messages of people who have been let in since. */
  takeApproved(
    receive: (held: { readonly platform: string; readonly event: PlatformEvent }) => Promise<unknown>,
  ): Promise<number>;
  /** The code that makes the first owner; undefined when there is one. */
  openClaim(): Promise<string | undefined>;
  /** Resolves when what it has to say to strangers and owners has gone out. */
  settle(): Promise<unknown>;
  /** What could not be sent so far is not tried again. */
  close(): void;
}

/** A run that an earlier life of the gateway left in the middle; the agent has made its history whole. */
export interface CutOff {
  readonly run: { readonly id: string };
  /**
   * `again`: nothing was done, it is run as if it had never been. `continue`: it goes on under its id. `answer` and
   * `report`: it is over, and the text is for the chat (P10).
   */
  readonly next: 'again' | 'continue' | 'answer' | 'report';
  readonly text: string;
}

export interface Agent {
  run(session: Session, turn: Turn): AsyncIterable<AgentEvent>;
  /** At start, before any run. */
  recover(): Promise<readonly CutOff[]>;
  usage(sessionId: string): Promise<SessionUsage>;
}

export type GatewayWorld = SandboxWorld;

export interface GatewayParts {
  readonly world: GatewayWorld;
  readonly settings: SettingsReader<(typeof section)['settings']>;
  readonly home: string;
  readonly platforms: readonly Platform[];
  readonly admission: Admission;
  readonly agent: Agent;
  /** What people do in sandboxes without the agent, through the same door. */
  readonly perform: Perform;
  /** The model in words, such as `openai-compatible, gpt-5`; undefined when there is none. */
  readonly model: string | undefined;
  readonly desk: ApprovalDesk;
  /** Sees every event of every run, for pages that show steps as they happen; must return at once. */
  readonly observe?: (run: { readonly id: string; readonly session: Session }, event: AgentEvent) => void;
  /** No platform works any more, nor will; whoever runs the gateway ends it. */
  readonly onHopeless?: (error: HermesError) => void;
  /** Commands of chats run as the user of the gateway; absent = they do not. */
  readonly isShared?: boolean;
  /** Removes an entry from the allowlist in use; absent = no allowlist. */
  readonly revokeAllowed?: (entry: string) => void;
  /** Of the start; repeated by every status. */
  readonly warnings: readonly string[];
}
