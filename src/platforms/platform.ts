// What a chat service is to the gateway. An adapter parses events (pure), renders answers (pure), and holds a connection;
// who may speak and what happens then is decided above it, so nothing here downloads, types or answers by itself (P1).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

export interface PlatformCapabilities {
  /** Characters of one message as the platform counts them; longer answers are split, or sent as a file. */
  readonly maxText: number;
  /** Without it an answer is sent when it is whole, and cards stay as they were; what became of them is a new message. */
  readonly edits: boolean;
  /** How far apart edits of one message should be. */
  readonly editEveryMs: number;
  /** Without it cards say which command answers them: `/approve ID`. */
  readonly buttons: boolean;
  /** Bytes that one button carries. */
  readonly maxButtonData: number;
  /** Without it nothing shows that somebody is working. */
  readonly typing: boolean;
  readonly groups: boolean;
  readonly threads: boolean;
  /** Largest files; 0 = none. Larger ones are refused with the limit, in words. */
  readonly maxFileIn: number;
  readonly maxFileOut: number;
  /** Whether strangers can find it; allow-all is dangerous there. */
  readonly isPublic: boolean;
}

export interface Chat {
  readonly id: string;
  readonly kind: 'private' | 'group';
  readonly thread?: string;
}

export interface Sender {
  /** The platform's own, exact and stable. */
  readonly id: string;
  /** For people to read; anybody may choose any name. */
  readonly name: string;
}

export interface IncomingFileRef {
  readonly name: string;
  /** Where the platform says so. */
  readonly size?: number;
  /** For `fetchFile`; means something to the adapter only. Plain JSON. */
  readonly ref: unknown;
}

export type PlatformEvent =
  | {
      readonly kind: 'message';
      /** Unique in the chat. A repeat has the same id. */
      readonly id: string;
      readonly chat: Chat;
      readonly sender: Sender;
      readonly text: string;
      readonly files: readonly IncomingFileRef[];
      /** Who wrote it, by name, when the sender passes on somebody else's message. It is never a command. */
      readonly forwardedFrom?: string;
      /** Private, mentions the bot, or replies to it. What is not addressed to the bot is dropped. */
      readonly isAddressed: boolean;
      /** By the clock of the service, where it gives out again what was received before; absent elsewhere. */
      readonly sentAt?: number;
    }
  | {
      readonly kind: 'button';
      /** Unique; a repeat has the same id. */
      readonly id: string;
      readonly chat: Chat;
      readonly sender: Sender;
      /** What the button carried. */
      readonly data: string;
      /** The message that it is on. */
      readonly messageId: string;
    };

export interface Button {
  readonly label: string;
  readonly data: string;
}

export interface OutgoingText {
  /** Markdown; the adapter renders or escapes it, and never loses a message because of it. */
  readonly text: string;
  /** Rows of buttons; dropped where the platform has none. */
  readonly buttons?: readonly (readonly Button[])[];
  /** `details.sentIds` of a try that failed in the middle of a long text: those parts are not sent again. */
  readonly sentIds?: readonly string[];
  /** Stands before the first part that is sent now; where the text is cut does not depend on it. */
  readonly mark?: string;
  readonly limit?: LimitHandling;
}

/**
 * While a rate limit holds: `wait` (default) waits for up to a minute, `report` throws at once with `details.retryAfterMs` unless
 * a piece of the part has left. The outbox uses `report`, because what only waits is not being sent: a crash then repeats nothing.
 */
export type LimitHandling = 'wait' | 'report';

export interface OutgoingFileMessage {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly caption?: string;
  /** As of a text, where one file takes several messages. */
  readonly sentIds?: readonly string[];
  readonly limit?: LimitHandling;
}

/** The platform's ids of what was sent; several when the text had to be split. Plain JSON. */
export interface Sent {
  readonly ids: readonly string[];
}

export interface CommandHint {
  readonly name: string;
  readonly doc: string;
}

/**
 * Failures of its calls: UNAVAILABLE_PLATFORM may be tried again, `details.retryAfterMs` says when where the server does, and
 * `details.mayBeDelivered` whether it could have arrived all the same, `details.sentIds` which parts have; USAGE_NOT_DELIVERED will not get better: the chat is
 * gone, the bot was blocked, the file is too large. AUTH_PLATFORM_TOKEN is fatal. No message or cause contains the token.
 */
export interface Connection {
  /** In words for status pages, such as `connected as @hermes_bot`. */
  readonly account: string;
  send(chat: Chat, message: OutgoingText): Promise<Sent>;
  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent>;
  /** Present exactly when `capabilities.edits`. */
  edit?(chat: Chat, messageId: string, message: OutgoingText): Promise<void>;
  /** Present exactly when `capabilities.typing`; shows it for some seconds. */
  typing?(chat: Chat): Promise<void>;
  /** Present exactly when `capabilities.buttons`: what the person who pressed sees at once. */
  answerButton?(eventId: string, text: string): Promise<void>;
  fetchFile(ref: unknown, options?: Abortable): Promise<Uint8Array>;
  /** Tells the platform which commands there are, for its menus; absent = it has none. */
  announce?(commands: readonly CommandHint[]): Promise<void>;
  /** A link that lets this person in once; absent = the platform has accounts of its own. */
  invite?(person: string): Promise<Invitation>;
  /** Stops taking events; what was given out before may still be answered until `close`. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** A link that lets somebody in, once. */
export interface Invitation {
  readonly link: string;
  readonly expiresAt: number;
}

/** The platform accepted a message and reports later that it did not reach the person. */
export interface Undelivered {
  /** One of the ids that `send` or `sendFile` returned, or will return: the report may come first. */
  readonly messageId: string;
  /** Why, and what to do, in words for the owner. The same cause has the same words. */
  readonly problem: string;
}

export interface ConnectOptions extends Abortable {
  /** An event is acknowledged to the platform only when this has resolved: it is stored by then (P12). */
  readonly receive: (event: PlatformEvent) => Promise<void>;
  /** As `receive`, for reports of failed delivery. Repeats are harmless. Absent = the caller does not need them. */
  readonly onUndelivered?: (report: Undelivered) => Promise<void>;
  /** For a platform that keeps logins: whether this sender may be there now, asked with each request. Absent = yes. */
  readonly isWelcome?: (senderId: string) => Promise<boolean>;
  /** Connection lost and found; for status and log. */
  readonly onState: (state: PlatformState) => void;
}

export type PlatformState =
  | { readonly kind: 'connected' }
  /** It is tried again by the adapter, with back-off. */
  | { readonly kind: 'offline'; readonly reason: string }
  /** It is not tried again. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

export interface Platform {
  /** = folder = config value. */
  readonly name: string;
  readonly capabilities: PlatformCapabilities;
  /** What is dangerous about how it is set up; said at every start. */
  readonly warnings?: readonly string[];
  /**
   * Whether the account works, in words, without taking events from whoever is connected. Absent = one connects and closes.
   * Throws as `connect` does.
   */
  check?(options?: Abortable): Promise<string>;
  /**
   * Other ids of the very same person, as an operator may have written them down; asked before anybody is let in. Works
   * without a connection. Absent = everybody has one id.
   */
  sameAs?(senderId: string): Promise<readonly string[]>;
  /** Resolves once the account is known to work. Throws AUTH_PLATFORM_TOKEN, CONFIG_INVALID, or UNAVAILABLE_PLATFORM. */
  connect(options: ConnectOptions): Promise<Connection>;
}

/**
 * What the `index.ts` of a driver exports; its section stands in `settings.ts`. `Own` is a reader of the settings that it
 * needs, as in `SettingsReader<(typeof section)['settings']>`; the whole configuration is one for every driver.
 */
export interface PlatformDriver<Own> {
  /** Undefined when it is not set up. Opens nothing. Throws CONFIG_INVALID when it is set up in half. */
  createPlatform(settings: Own, context: PlatformContext): Platform | undefined;
}

export interface PlatformContext {
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the installation, for what a driver keeps; absent = it keeps nothing over a restart. */
  readonly home?: string;
  /** For a platform with a server of its own, made anew for each connection; absent = the chat alone. */
  readonly pages?: (() => Promise<Pages>) | undefined;
}

/** Somebody who is logged in at a platform's own server. */
export interface Visitor {
  readonly platform: string;
  /** As a sender has it. */
  readonly id: string;
  /** Of a chat of theirs by the name that the page has for it; undefined when it is no name. */
  chatId(name: string): string | undefined;
}

/** What a platform with a server of its own shows besides its chat, under the same address and to the same people. */
export interface Pages {
  /**
   * False when it has no such page. The server has checked under which name it was asked, and for everything but GET and HEAD
   * that one of its own pages asks. No visitor = nobody is logged in.
   */
  answer(request: IncomingMessage, response: ServerResponse, visitor: Visitor | undefined): Promise<boolean>;
  /** Takes over a WebSocket that one of the server's own pages opens; false when it has none of that name. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, visitor: Visitor): boolean;
  /** Ends its sockets; before the server does. */
  close(): void;
}
