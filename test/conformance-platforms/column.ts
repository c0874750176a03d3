// The contract of a column: a platform, and the other side of it: people who write, press and read, and a server that can
// be told to misbehave. A check never looks at ids of its own making: it takes those of the events.
import type { Clock } from '../../src/base/clock.ts';
import type { Platform, PlatformCapabilities, PlatformContext } from '../../src/platforms/platform.ts';

export interface Column {
  /** Heads the column of the matrix. */
  readonly name: string;
  /** What the platform must declare; requirements that need more are `n/a`. */
  readonly capabilities: PlatformCapabilities;
  /** The optional parts of its `Peer`; a requirement that needs another is `n/a`. */
  readonly powers: readonly Power[];
  /** For each check anew. `clock` is the one of the platform; absent = the system's. */
  open(options?: { readonly clock?: Clock }): Promise<Ground>;
}

/** A platform made ready, and who is on the other side. */
export interface Ground {
  /** As the gateway makes it, with settings that work. May be called again, as after a restart. */
  create(context: PlatformContext): Platform;
  /** What must stand in no error and in no line of the log. */
  readonly secrets: readonly string[];
  readonly peer: Peer;
  /** Variables with which a gateway in a process of its own reaches the same other side; absent = it cannot. */
  readonly environment?: Readonly<Record<string, string>>;
  /** All connections are closed before. */
  close(): Promise<void>;
}

/** Where something is said. `other` is the private chat of another person. */
export type Place = 'private' | 'other' | 'group' | 'thread';

export interface Words {
  readonly text: string;
  /** Absent = private. */
  readonly place?: Exclude<Place, 'other'>;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  /** In groups: `no` = nothing says that it is for the bot. Absent = for the bot. */
  readonly isForBot?: 'no';
}

/** A message of the bot as people see it now. */
export interface Seen {
  /** As in `Sent.ids`. */
  readonly id: string;
  /** Without the markup that the platform shows as formatting. */
  readonly text: string;
  readonly buttons: readonly { readonly label: string; readonly data: string }[];
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
}

export interface Peer {
  say(words: Words): Promise<void>;
  /** In order, as they are now. */
  seen(place?: Place): readonly Seen[];
  /** The first for which it holds, now or later. Rejects when it takes too long. */
  whenSeen(holds: (message: Seen) => boolean, place?: Place): Promise<Seen>;
  /** Another person says something, in a private chat of theirs. */
  otherSays?(text: string): Promise<void>;
  /** A bot says something, or the bot itself. */
  sayAs?(who: 'bot' | 'itself', text: string): Promise<void>;
  /** In the group: joins, other bots, edits, reactions and whatever else a bot sees there. */
  bustle?(): Promise<void>;
  /** The person changes what was said last. */
  editLast?(text: string): Promise<void>;
  /** The server hands out once more what it handed out last. */
  repeatLast?(): Promise<void>;
  press?(message: Seen, data: string): Promise<void>;
  /** Resolves when somebody who pressed sees the text. */
  whenNotice?(text: string): Promise<void>;
  whenTyping?(place: Place): Promise<void>;
  /** Resolves when the menu has the command. */
  whenMenu?(command: string): Promise<void>;
  /** How often somebody fetched a file, or asked for one. */
  fetched?(): number;
  /** Events that nobody has acknowledged; they come again. */
  unacknowledged?(): number;
  /** The next sending is refused: too many. */
  limitOnce?(seconds: number): void;
  /** The next sending is refused: its formatting cannot be read. */
  refuseFormattingOnce?(): void;
  /** The next sending fails on the server's side. */
  failOnce?(): void;
  /** The next sending is refused for good: the person does not want to hear from the bot. */
  blockOnce?(): void;
  /** The network is gone until `restore`. */
  cut?(): void;
  restore?(): void;
  /** The server refuses the token from now on. */
  revoke?(): void;
  /** Somebody else takes the events, or stops doing so. */
  compete?(state: 'on' | 'off'): void;
  /** The server hands out anything. */
  push?(payload: unknown): void;
}

export type Power = {
  [K in keyof Peer]-?: undefined extends Peer[K] ? K : never;
}[keyof Peer];
