// The double's gateway: greets each socket, takes who identifies or resumes, answers heartbeats, and can be told to behave as
// the real one does on bad days.
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { DiscordSessions } from './discord-sessions.ts';
import { type DiscordWorld, type Json, userOf } from './discord-world.ts';

export interface GatewayRules {
  readonly token: string;
  /** Whether the application may read what messages say. */
  readonly contentIntent: 'on' | 'off';
  readonly heartbeatMs: number;
}

interface ClientFrame {
  readonly op: number;
  readonly d: Json & { readonly token?: string; readonly session_id?: string; readonly seq?: number };
}

/** `MESSAGE_CONTENT`. */
const CONTENT = 1 << 15;

export class DiscordGateway {
  readonly sessions = new DiscordSessions();
  /** What clients have sent, without heartbeats. */
  readonly heard: ClientFrame[] = [];
  readonly #world: DiscordWorld;
  readonly #rules: GatewayRules;
  readonly #server = new WebSocketServer({ noServer: true });
  #isRevoked = false;
  /** The next ones that resume are told that there is no such session. */
  #invalid = 0;

  constructor(server: Server, world: DiscordWorld, rules: GatewayRules) {
    this.#world = world;
    this.#rules = rules;
    server.on('upgrade', (request, socket, head) => {
      if (!request.url?.startsWith('/gateway')) return void socket.destroy();
      this.#server.handleUpgrade(request, socket, head, ws => this.#greet(ws));
    });
  }

  get sockets(): number {
    return this.#server.clients.size;
  }

  dispatch(t: string, d: unknown): void {
    this.sessions.dispatch(t, d);
  }

  /** Any frame as it is, to everybody. */
  sendRaw(text: string): void {
    for (const socket of this.#server.clients) socket.send(text);
  }

  close(code: number): void {
    for (const socket of this.#server.clients) socket.close(code);
  }

  terminate(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  revoke(): void {
    this.#isRevoked = true;
    this.close(4004);
  }

  /** Forgets all sessions: whoever resumes has to begin anew. */
  forget(): void {
    this.sessions.forget();
  }

  /** Discord ends every session: with a code, or with op 9 where there is none. */
  expire(code?: 4007 | 4009): void {
    this.forget();
    if (code === undefined) this.sendRaw('{"op":9,"d":false}');
    else this.close(code);
  }

  invalidateNext(times: number): void {
    this.#invalid = times;
  }

  #greet(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    socket.on('close', code => this.sessions.closed(socket, code));
    socket.on('message', data => {
      const frame = JSON.parse(data.toString()) as ClientFrame; // of our own adapter
      if (!this.sessions.isFrozen) this.#take(socket, frame);
    });
    send(socket, { op: 10, d: { heartbeat_interval: this.#rules.heartbeatMs } });
  }

  #take(socket: WebSocket, frame: ClientFrame): void {
    if (frame.op === 1) {
      if (typeof frame.d === 'number') this.sessions.confirm(socket, frame.d);
      send(socket, { op: 11 });
      return;
    }
    this.heard.push(frame);
    if (this.#isRevoked || frame.d.token !== this.#rules.token) return void socket.close(4004);
    if (frame.op === 2) this.#identify(socket, frame.d);
    else if (frame.op === 6) this.#resume(socket, frame.d);
    else socket.close(4001);
  }

  #identify(socket: WebSocket, { intents }: Json): void {
    if (this.#rules.contentIntent === 'off' && (Number(intents) & CONTENT) !== 0)
      return void socket.close(4014);
    const { bot, applicationId, root } = this.#world;
    const session_id = this.sessions.identify(socket);
    const ready = {
      ...{
        v: 10,
        session_id,
        resume_gateway_url: `${root().replace('http', 'ws')}/gateway-again`,
        guilds: [],
      },
      user: userOf({ id: bot.id, name: bot.username, isBot: true }),
      application: { id: applicationId, flags: 0 },
    };
    this.sessions.dispatch('READY', ready, session_id);
    this.sessions.dispatch('GUILD_CREATE', this.#world.guild(), session_id);
  }

  #resume(socket: WebSocket, { session_id, seq }: ClientFrame['d']): void {
    const isInvalid = this.#invalid > 0;
    if (isInvalid) this.#invalid -= 1;
    if (isInvalid || !this.sessions.resume(String(session_id), Number(seq), socket)) {
      send(socket, { op: 9, d: false });
    } else {
      this.sessions.dispatch('RESUMED', {}, String(session_id));
    }
  }
}

function send(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}
