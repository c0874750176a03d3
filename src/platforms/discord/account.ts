// Whose account it is, and whether it may do what is needed: asked before anything else.
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { PlatformContext } from '../platform.ts';
import { Client } from './client.ts';
import { badToken, type Endpoint, intentIsOff } from './faults.ts';
import type { Account } from './parse.ts';
import { applicationShape, ownUserShape } from './payload.ts';
import { loadSdk } from './sdk.ts';

export interface Application extends Account {
  readonly applicationId: string;
}

/** What the developer portal hands out: three parts with dots between them. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** The application may read messages: as a verified one, or as one in fewer than a hundred servers. */
const READS_MESSAGES = (1 << 18) | (1 << 19);

/** Asks who the bot is, and opens no session. */
export async function check(
  endpoint: Endpoint,
  { clock }: PlatformContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const client = clientOf(endpoint, clock);
  try {
    return `as ${(await ownApplication(client, signal)).username}`;
  } finally {
    client.close();
  }
}

export function clientOf(endpoint: Endpoint, clock: Clock): Client {
  if (TOKEN.test(endpoint.token)) return new Client(endpoint, clock, loadSdk());
  throw badToken(endpoint, {
    details: { reason: 'a token of a bot has three parts with dots between them' },
  });
}

/** Throws AUTH_PLATFORM_TOKEN, CONFIG_INVALID when the bot may not read messages, or UNAVAILABLE_PLATFORM. */
export async function ownApplication(client: Client, signal: AbortSignal | undefined): Promise<Application> {
  const ask = (path: '/users/@me' | '/applications/@me'): Promise<unknown> =>
    client.call({ method: 'GET', path, what: 'say who the bot is', signal });
  const [user, application] = await Promise.all([ask('/users/@me'), ask('/applications/@me')]).catch(
    (error: unknown) => {
      throw isHermesError(error, 'USAGE_NOT_DELIVERED') ? notDiscord(client, error) : error;
    },
  );
  const own = ownUserShape.safeParse(user).data;
  const facts = applicationShape.safeParse(application).data;
  if (!own || !facts) throw notDiscord(client);
  const { flags } = facts;
  if (flags !== undefined && (flags & READS_MESSAGES) === 0) throw intentIsOff({ flags });
  return { ...own, applicationId: facts.id };
}

export function notDiscord({ endpoint }: Client, cause?: Error): HermesError {
  const message = `What ${endpoint.apiRoot} answers is not Discord’s API. Check \`discord.api_root\`.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, cause ? { cause } : {});
}
