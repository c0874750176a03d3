// Who we are in Slack, and whether both tokens can do what is needed; the scopes that are missing are named.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Client } from './client.ts';
import { badToken, type Endpoint, type TokenKind, unreadable } from './faults.ts';
import type { Account } from './parse.ts';

/** Without these nobody can be heard or answered. */
const NEEDED = ['chat:write', 'im:history', 'im:write'];
/** What is missing without each of the others. */
const USEFUL: Readonly<Record<string, string>> = {
  'app_mentions:read': 'mentions in channels',
  'channels:history': 'replies in threads of public channels',
  'groups:history': 'replies in threads of private channels',
  'mpim:history': 'messages in group chats',
  commands: '/hermes',
  'files:read': 'files of people',
  'files:write': 'files to people',
  'reactions:write': 'the sign that somebody is working',
  'users:read': 'names of people',
};

const PREFIX: Readonly<Record<TokenKind, string>> = { bot: 'xoxb-', app: 'xapp-' };

const answerShape = z.object({
  user_id: z.string().regex(/^[A-Z0-9]+$/),
  user: z.string(),
  team: z.string().default(''),
  bot_id: z.string().optional(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});

export interface OwnAccount extends Account {
  readonly team: string;
  /** What does not work, and for want of which scope. */
  readonly lacks: readonly string[];
}

/** What a mistyped or swapped token would only learn from Slack later, and less clearly. */
export function checkTokens({ botToken, appToken }: Endpoint): void {
  for (const [kind, token] of [
    ['bot', botToken],
    ['app', appToken],
  ] as const) {
    if (token.startsWith(PREFIX[kind]) && /^[\w-]+$/.test(token)) continue;
    const other = token.startsWith(PREFIX[kind === 'bot' ? 'app' : 'bot']);
    const reason = other ? 'it is the other one: they are swapped' : `it does not look like ${PREFIX[kind]}…`;
    throw badToken(kind, reason, { details: { reason } });
  }
}

/** Throws AUTH_PLATFORM_TOKEN when the bot token is bad, or has not the scopes that are needed. */
export async function ownAccount(client: Client, signal: AbortSignal | undefined): Promise<OwnAccount> {
  const answer = await client.call('auth.test', {}, { signal });
  const { data } = answerShape.safeParse(answer);
  if (!data) throw unreadable(client.endpoint, 'auth.test');
  const scopes = data.response_metadata?.scopes;
  // Who stands between us and Slack may have removed the header.
  const missing = (list: readonly string[]): readonly string[] =>
    scopes ? list.filter(scope => !scopes.includes(scope)) : [];
  const needed = missing(NEEDED);
  const useful = missing(Object.keys(USEFUL));
  if (needed.length > 0) {
    const all = [...needed, ...useful].join(', ');
    const message = `The Slack app is not allowed to do what it needs. Add the scopes ${all} under OAuth & Permissions at api.slack.com/apps, install the app again, and set the new token as \`slack.bot_token\`.`;
    throw new HermesError('AUTH_PLATFORM_TOKEN', message, {
      details: { token: 'bot', missing: [...needed, ...useful] },
    });
  }
  return {
    userId: data.user_id,
    userName: data.user,
    team: data.team,
    lacks: useful.map(scope => `${USEFUL[scope]} (${scope})`),
  };
}

/** Asks for an address to connect to, and connects to none. */
export async function checkAppToken(client: Client, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.call('apps.connections.open', {}, { signal, token: 'app' });
  } catch (error) {
    throw asAppFault(error);
  }
}

/** An app-level token with another scope is none that helps. */
export function asAppFault(error: unknown): unknown {
  if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) return error;
  const reason = String(error.details['reason'] ?? 'refused');
  return badToken('app', reason, { details: error.details, cause: error });
}
