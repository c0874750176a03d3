// One session of Socket Mode through Slack's own client, which connects, greets and keeps the line alive. It does not come
// back by itself: its own way of doing so ends the process when the network is gone. Frames are looked at before it sees
// them, since it throws at some that are malformed and takes names of events from others.
import { HermesError, isHermesError } from '../../base/errors.ts';
import { pause } from '../back-off.ts';
import { asAppFault } from './account.ts';
import type { Client } from './client.ts';
import { slackFault } from './faults.ts';
import { frameShape } from './payload.ts';
import { sdkOptions, silentLogger } from './sdk-options.ts';

/** Something that Slack wants to have acknowledged within three seconds. Only `events_api` is sent again if it is not. */
export interface Envelope {
  readonly type: string;
  readonly payload: unknown;
  /** `say` is shown to the person who typed a command; Slack ignores it elsewhere. Never throws. */
  ack(say?: string): void;
}

export interface Session {
  /** How many programs take the events of this app, as Slack says. */
  readonly connections: number;
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>;
  /** Resolves when Slack asks for another one in its place. */
  readonly leaving: Promise<void>;
  /** Resolves when Slack has taken note, or did not within a moment. */
  end(): Promise<void>;
}

export interface SessionOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly onEnvelope: (envelope: Envelope) => void;
}

const ENVELOPES = ['events_api', 'slash_commands', 'interactive'];
const GREETING_MS = 30_000;
const FAREWELL_MS = 5_000;

/** Throws AUTH_PLATFORM_TOKEN, or UNAVAILABLE_PLATFORM. */
export async function openSession({ client, signal, onEnvelope }: SessionOptions): Promise<Session> {
  const { SocketModeClient } = await import('@slack/socket-mode');
  const { clock, endpoint } = client;
  const closed = Promise.withResolvers<void>();
  const leaving = Promise.withResolvers<void>();
  const given = new AbortController();
  let connections = 1;

  class GuardedClient extends SocketModeClient {
    protected override async onWebSocketMessage(
      data: string | ArrayBuffer,
      isBinary: boolean,
    ): Promise<void> {
      const frame = isBinary || typeof data !== 'string' ? undefined : readFrame(data);
      if (frame?.type === 'hello') {
        connections = frame.num_connections ?? 1;
        return super.onWebSocketMessage(JSON.stringify({ type: 'hello' }), false);
      }
      if (frame?.type === 'disconnect') return leaving.resolve();
      const id = frame?.envelope_id;
      if (!frame || id === undefined) return;
      const ack = (say?: string): void => this.#acknowledge(id, say);
      if (ENVELOPES.includes(frame.type)) onEnvelope({ type: frame.type, payload: frame.payload, ack });
      else ack();
    }

    #acknowledge(envelopeId: string, say: string | undefined): void {
      const payload = say === undefined ? {} : { payload: { text: say } };
      if (this.websocket?.isActive())
        this.websocket.send(JSON.stringify({ envelope_id: envelopeId, ...payload }), () => undefined);
    }
  }

  const socket = new GuardedClient({
    appToken: endpoint.appToken,
    autoReconnectEnabled: false,
    logger: silentLogger,
    clientOptions: sdkOptions(endpoint, () => AbortSignal.any([signal, client.closing, given.signal]))(),
  });
  const over = new AbortController();
  socket.on('disconnected', () => {
    over.abort();
    closed.resolve();
  });
  // Slack's client would connect although nobody wants it any more.
  socket.on('authenticated', () => given.signal.throwIfAborted());
  const end = async (): Promise<void> => {
    given.abort();
    void socket.disconnect();
    await pause(clock, FAREWELL_MS, over.signal);
    // A second time does not wait for the other side.
    if (!over.signal.aborted) void socket.disconnect();
  };
  try {
    await greeted(socket.start(), { client, signal });
  } catch (error) {
    await end();
    throw error;
  }
  return { connections, closed: closed.promise, leaving: leaving.promise, end };
}

/** Undefined when it is none, whatever it is. */
function readFrame(text: string): ReturnType<typeof frameShape.parse> | undefined {
  try {
    return frameShape.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Until Slack has said hello. */
async function greeted(
  started: Promise<unknown>,
  { client, signal }: Pick<SessionOptions, 'client' | 'signal'>,
): Promise<void> {
  const { endpoint, clock } = client;
  const given = new AbortController();
  const method = 'apps.connections.open';
  try {
    const late = pause(clock, GREETING_MS, AbortSignal.any([given.signal, signal])).then(() => {
      signal.throwIfAborted();
      throw noGreeting(endpoint.apiRoot, `Slack did not say hello within ${GREETING_MS / 1000} s`);
    });
    await Promise.race([started, late]);
  } catch (error) {
    signal.throwIfAborted();
    // It rejects with nothing when the socket is closed at once.
    if (error === undefined) throw noGreeting(endpoint.apiRoot, 'the connection was closed at once');
    throw isHermesError(error) ? error : asAppFault(slackFault(error, { method, token: 'app', endpoint }));
  } finally {
    given.abort();
  }
}

function noGreeting(apiRoot: string, reason: string): HermesError {
  const message = `Slack at ${apiRoot} cannot be connected to: ${reason}. It is tried again.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message, { details: { reason } });
}
