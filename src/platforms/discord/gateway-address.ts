// Where Discord's gateway is, and when a new session may be begun there.
import { sleep } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import { notDiscord } from './account.ts';
import type { Client } from './client.ts';
import { gatewayShape } from './payload.ts';

/** Between two new sessions, as Discord wants it. */
const EVERY_MS = 5_000;

interface GatewayAddress {
  readonly url: string;
  /** Until a new session may be begun. */
  readonly waitMs: number;
}

/** The token goes there: where the API is protected, so is the gateway. Pure. */
export function isGatewayOf(url: string, apiRoot: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'wss:' || (protocol === 'ws:' && URL.parse(apiRoot)?.protocol === 'http:');
}

/** Whether an address that Discord names later is another door of the same gateway. Pure. */
export function isSameGateway(url: string, first: string): boolean {
  const given = URL.parse(url);
  const known = URL.parse(first);
  if (!given || !known || given.protocol !== known.protocol) return false;
  if (given.search !== '' || given.username !== '' || given.password !== '') return false;
  const isNamed = /[a-z]$/.test(known.hostname);
  const domain = known.hostname.split('.').slice(-2).join('.');
  const isNeighbour = isNamed && given.hostname.endsWith(`.${domain}`) && given.port === known.port;
  return given.host === known.host || isNeighbour;
}

export async function gatewayOf(client: Client, signal: AbortSignal | undefined): Promise<GatewayAddress> {
  const what = 'say where its gateway is';
  const answer = await client.call({ method: 'GET', path: '/gateway/bot', what, signal });
  const { data } = gatewayShape.safeParse(answer);
  if (!data || !isGatewayOf(data.url, client.endpoint.apiRoot)) throw notDiscord(client);
  const { remaining, reset_after } = data.session_start_limit;
  return { url: data.url.replace(/\/+$/, ''), waitMs: remaining > 0 ? 0 : reset_after };
}

/** Whoever begins a thousand sessions in a day loses the token, so Discord is asked before each whether there may be one. */
export function sessionPace(client: Client): (signal: AbortSignal) => Promise<void> {
  let last: number | undefined;
  return async signal => {
    const since = last === undefined ? EVERY_MS : client.clock.monotonic() - last;
    if (since < EVERY_MS) await sleep(client.clock, EVERY_MS - since, signal);
    await sleepAsAsked(client, signal);
    signal.throwIfAborted();
    last = client.clock.monotonic();
  };
}

async function sleepAsAsked(client: Client, signal: AbortSignal): Promise<void> {
  try {
    const { waitMs } = await gatewayOf(client, signal);
    if (waitMs > 0) await sleep(client.clock, waitMs, signal);
  } catch (error) {
    // Where it cannot be asked, a session cannot be begun either, or the gateway itself will say no.
    if (!isHermesError(error)) throw error;
  }
}
