// What the codes mean with which a connection to Discord's gateway is closed. Pure.
import { HermesError } from '../../base/errors.ts';
import { badToken, type Endpoint, intentIsOff } from './faults.ts';

/** Ours: any other than 1000 and 1001 keeps the session alive at Discord. */
export const COME_BACK = 4200;

/** Discord has ended the session, or the library has with good reason. */
const SESSION_OVER = [1000, 4003, 4005, 4007, 4008, 4009];
const BAD_TOKEN = 4004;
/** Asked for, but not allowed; or not known. */
const INTENTS = [4013, 4014];
/** The wrong part of the bot, too many servers for one part, another version of the API. */
const REFUSED = [4010, 4011, 4012];

export function endsSession(code: number): boolean {
  return SESSION_OVER.includes(code);
}

/** Why it will not get better by trying again; undefined when it may. */
export function fatalOf(code: number, endpoint: Endpoint): HermesError | undefined {
  if (code === BAD_TOKEN) return badToken(endpoint, { details: { code } });
  if (INTENTS.includes(code)) return intentIsOff({ code });
  if (!REFUSED.includes(code)) return undefined;
  const message = `Discord’s gateway refuses the bot for good (${code}): it is in too many servers for one connection, or the API is another one. See Discord’s list of gateway close codes.`;
  return new HermesError('CONFIG_INVALID', message, { details: { code } });
}
