// The other side of the example of docs/platforms/add-a-platform.md: a chat server that speaks JSON in lines over TCP.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface RelayMessage {
  readonly chat: string;
  readonly isGroup: boolean;
  readonly from: string;
  readonly name: string;
  readonly text: string;
  readonly isForUs: boolean;
}

export interface RelaySent {
  readonly id: string;
  readonly chat: string;
  readonly text: string;
}

interface Line {
  readonly type?: string;
  readonly ref?: string;
  readonly token?: string;
  readonly number?: number;
  readonly chat?: string;
  readonly text?: string;
}

export class RelayServer {
  readonly token = 'relay-token-of-the-tests';
  readonly sent: RelaySent[] = [];
  readonly watchers = new Set<() => void>();
  readonly #server: Server = createServer(socket => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Map<number, object>();
  #listener: Socket | undefined;
  #last: object | undefined;
  #count = 0;
  #isCut = false;
  #isRevoked = false;
  #failures = 0;

  static async start(): Promise<RelayServer> {
    const relay = new RelayServer();
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on TCP
  }

  get unacknowledged(): number {
    return this.#waiting.size;
  }

  say(message: RelayMessage): void {
    const number = ++this.#count;
    this.#last = { type: 'message', number, id: `m${number}`, ...message };
    this.#waiting.set(number, this.#last);
    this.push(this.#last);
  }

  repeatLast(): void {
    this.push(this.#last);
  }

  push(line: unknown): void {
    this.#listener?.write(`${JSON.stringify(line) ?? 'null'}\n`);
  }

  failOnce(): void {
    this.#failures += 1;
  }

  revoke(): void {
    this.#isRevoked = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    if (this.#isCut) return void socket.destroy();
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    const lines = createInterface({ input: socket });
    lines.on('line', text => this.#answer(socket, JSON.parse(text) as Line)); // of our adapter
    // A peer that is gone ends it, and that is all.
    lines.on('error', () => socket.destroy());
  }

  #answer(socket: Socket, line: Line): void {
    const answer = this.#answerTo(socket, line);
    if (answer) socket.write(`${JSON.stringify({ ref: line.ref, ...answer })}\n`);
    if (line.type === 'login') for (const waiting of this.#waiting.values()) this.push(waiting);
    for (const watcher of this.watchers) watcher();
  }

  #answerTo(socket: Socket, { type, token, number = 0, chat = '', text = '' }: Line): object | undefined {
    if (type === 'ack') {
      this.#waiting.delete(number);
      return {};
    }
    if (type === 'login') {
      if (this.#isRevoked || token !== this.token) return { refused: 'token' };
      this.#listener = socket;
      return { name: 'hermes' };
    }
    if (type !== 'say') return undefined;
    if (this.#failures > 0) {
      this.#failures -= 1;
      return { refused: 'busy' };
    }
    const id = `s${this.sent.length + 1}`;
    this.sent.push({ id, chat, text });
    return { id };
  }
}
