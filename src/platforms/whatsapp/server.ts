// The webhook: WhatsApp brings what people say to this server, by way of a proxy with TLS. Only what is signed gets any further,
// and it is answered with 200 only when it was received; WhatsApp brings everything else again.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';
import type { Log } from '../../base/log.ts';
import { hostInUrl } from '../../base/loopback.ts';
import { pause } from '../back-off.ts';
import { Bodies, LARGEST_BODY } from './bodies.ts';
import { isSame, isSigned } from './signature.ts';

export interface WebhookOptions {
  readonly host: string;
  readonly port: number;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when all of it was received; throws when it must come again. */
  readonly take: (payload: unknown) => Promise<void>;
}

export interface Webhook {
  readonly url: string;
  /** Takes nothing more; resolves when what came before is answered. */
  close(): Promise<void>;
}

const WEBHOOK_PATH = '/whatsapp/webhook';

const MOST_CONNECTIONS = 128;
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
/** How long the other side has to read the last answers. */
const LAST_WORDS_MS = 2_000;
const COMPLAIN_EVERY_MS = 10_000;

/** Throws UNAVAILABLE_PLATFORM when the address cannot be used. */
export async function serveWebhook(options: WebhookOptions): Promise<Webhook> {
  const { host, port, log } = options;
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS });
  server.maxConnections = MOST_CONNECTIONS;
  const answering = new Set<Promise<void>>();
  const bodies = new Bodies();
  const given = { ...options, bodies, complain: complainer(options) };
  server.on('request', (request, response) => {
    const answered: Promise<void> = answer(request, response, given)
      .catch(error => {
        log.error({ err: error }, 'a webhook was not taken in; WhatsApp brings it again');
        if (!response.headersSent) end(response, 500, 'It failed; the log has the reason.');
      })
      .finally(() => answering.delete(answered));
    answering.add(answered);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await listening(server, host, port);
  const chosen = (server.address() as AddressInfo).port; // it listens on a port, not on a path
  return {
    url: `http://${hostInUrl(host)}:${chosen}${WEBHOOK_PATH}`,
    close() {
      bodies.close();
      return closed(server, answering, options.clock);
    },
  };
}

async function closed(server: Server, answering: ReadonlySet<Promise<void>>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  await Promise.all(answering);
  const late = new AbortController();
  await Promise.race([promise, pause(clock, LAST_WORDS_MS, late.signal)]);
  late.abort();
  server.closeAllConnections();
  await promise;
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => resolve());
  try {
    await promise;
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown';
    const message = `The webhook of WhatsApp cannot listen on ${host}, port ${port} (${code}). Set whatsapp.port to another one, and tell your proxy.`;
    throw new HermesError('UNAVAILABLE_PLATFORM', message, { cause: error });
  }
  server.off('error', reject);
}

interface Answering extends WebhookOptions {
  readonly bodies: Bodies;
  /** To the log, now and then: strangers may knock as often as they like. */
  readonly complain: (text: string) => void;
}

function complainer({ clock, log }: WebhookOptions): Answering['complain'] {
  let notBefore = Number.NEGATIVE_INFINITY;
  return text => {
    const now = clock.monotonic();
    if (now < notBefore) return;
    notBefore = now + COMPLAIN_EVERY_MS;
    log.warn(text);
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: Answering): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (url?.pathname !== WEBHOOK_PATH) return end(response, 404, 'There is nothing here.');
  if (request.method === 'GET') return verify(response, url.searchParams, options);
  if (request.method !== 'POST') return end(response, 405, 'GET or POST.');
  const body = await options.bodies.read(request);
  if (body === 'broken-off') return;
  if (body === 'too-long') return end(response, 413, `At most ${LARGEST_BODY} bytes.`);
  if (!isSigned(body, headerOf(request), options.appSecret)) {
    options.complain('a webhook without the signature of whatsapp.app_secret was refused');
    return end(response, 401, 'The signature is wrong.');
  }
  const payload = jsonOf(body.toString('utf8'));
  if (payload === undefined) return end(response, 400, 'That is no JSON.');
  await options.take(payload);
  end(response, 200, 'OK');
}

/** Once, when the webhook is set up: it proves that whoever set it up knows our word. */
function verify(
  response: ServerResponse,
  query: URLSearchParams,
  { verifyToken, log, complain }: Answering,
): void {
  const challenge = query.get('hub.challenge') ?? '';
  const isOurs =
    query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isOurs || !/^[\w-]{1,256}$/.test(challenge)) {
    complain('somebody tried to set up the webhook with a word that is not whatsapp.verify_token');
    end(response, 403, 'That is not the verify token.');
    return;
  }
  log.info('the webhook was set up');
  end(response, 200, challenge);
}

function headerOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-hub-signature-256'];
  return typeof given === 'string' ? given : undefined;
}

function end(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(text);
}
