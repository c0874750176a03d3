// What a module of the user's own has to export to be a platform, and what it is given. It runs in the process of the gateway
// with all of its rights; nothing here holds it back.
import type { ErrorDetails, HermesError } from '../base/errors.ts';
import type { MessagePart } from './message-parts.ts';
import type { OutgoingText, Platform, PlatformCapabilities, PlatformContext, Sent } from './platform.ts';

/**
 * The variables that begin with the name of the plugin in capitals, from the environment or from `.env`: a plugin `my-chat` is
 * given MY_CHAT_TOKEN. Their values are hidden wherever the gateway writes, but for the lists of people.
 */
export type PluginSettings = Readonly<Record<string, string | undefined>>;

export type PluginFailure =
  | 'UNAVAILABLE_PLATFORM'
  | 'USAGE_NOT_DELIVERED'
  | 'AUTH_PLATFORM_TOKEN'
  | 'CONFIG_INVALID';

export interface PluginContext extends Omit<PlatformContext, 'pages'> {
  /** As it stands in `gateway.plugins`. */
  readonly name: string;
  /** The errors of the contract; others count as a mistake of the plugin. `cause` stays with the operator. */
  failure(
    code: PluginFailure,
    message: string,
    options?: { readonly details?: ErrorDetails; readonly cause?: unknown },
  ): HermesError;
  /** A text in parts that fit, one after the other, but for those that an earlier try has sent. `send` returns an id. */
  sendParts(
    message: OutgoingText,
    limits: Pick<PlatformCapabilities, 'maxText' | 'maxButtonData'>,
    send: (part: MessagePart) => Promise<string>,
  ): Promise<Sent>;
}

/** What the module exports. */
export interface PlatformPlugin {
  /**
   * Undefined when it is not set up. Opens nothing. Whatever it throws, here or later, keeps no other platform from serving. The
   * name of what it returns must be that of the context.
   */
  createPlatform(settings: PluginSettings, context: PluginContext): Platform | undefined;
}

/** How the variables of a plugin begin, and what follows is theirs. */
export function variablePrefix(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_`;
}
