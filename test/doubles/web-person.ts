// Somebody who uses the web chat: a browser's part of the protocol, over a real WebSocket.
import { type ClientOptions, WebSocket } from 'ws';

/** What the server sends; which parts are there depends on the type. */
export interface WebFrame {
  readonly type: string;
  readonly seq?: number;
  readonly id?: string;
  readonly from?: 'agent' | 'you';
  readonly text?: string;
  readonly append?: string;
  readonly code?: string;
  readonly last?: number;
  readonly complete?: boolean;
  readonly buttons?: readonly (readonly { readonly label: string; readonly data: string }[])[];
  readonly files?: readonly { readonly id: string; readonly name: string; readonly size: number }[];
  readonly commands?: readonly { readonly name: string }[];
}

export interface WebPerson {
  readonly cookie: string;
  readonly origin: string;
  /** Says hello, and resolves with the welcome. What is open before is closed. */
  open(options?: {
    readonly chat?: string;
    readonly after?: number;
    readonly onFrame?: (frame: WebFrame) => void;
  }): Promise<WebFrame>;
  send(frame: unknown): void;
  upload(name: string, bytes: Uint8Array): Promise<{ readonly id: string }>;
  download(id: string): Promise<Uint8Array>;
  /** The code with which the server ends the socket that is open. */
  closed(): Promise<number>;
  leave(): void;
}

/** Opens the link, once. */
export async function webPerson(link: string): Promise<WebPerson> {
  const { origin } = new URL(link);
  const answer = await fetch(link, { redirect: 'manual' });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  if (answer.status !== 303) throw new Error(`the link was refused: ${answer.status}`);
  let socket: WebSocket | undefined;
  const person: WebPerson = {
    cookie,
    origin,
    async open({ chat = 'main', after, onFrame } = {}) {
      socket?.terminate();
      const made = await webSocket(origin, { headers: { cookie, origin } });
      socket = made;
      const welcome = Promise.withResolvers<WebFrame>();
      made.on('message', data => {
        const frame = JSON.parse(String(data)) as WebFrame; // the test looks at what is in it
        if (frame.type === 'welcome') welcome.resolve(frame);
        onFrame?.(frame);
      });
      made.on('close', () => welcome.reject(new Error('closed before the welcome')));
      person.send({ type: 'hello', version: 1, chat, ...(after === undefined ? {} : { after }) });
      return welcome.promise;
    },
    send: frame => socket?.send(JSON.stringify(frame)),
    async upload(name, bytes) {
      const body = Buffer.from(bytes);
      const url = `${origin}/files?name=${encodeURIComponent(name)}`;
      const response = await fetch(url, { method: 'POST', headers: { cookie, origin }, body });
      return (await response.json()) as { id: string };
    },
    async download(id) {
      const response = await fetch(`${origin}/files/${id}`, { headers: { cookie } });
      return new Uint8Array(await response.arrayBuffer());
    },
    closed: () => new Promise(resolve => socket?.once('close', resolve)),
    leave: () => socket?.terminate(),
  };
  return person;
}

/** Resolves when it is open; rejects with the status of a refusal. */
export function webSocket(origin: string, options: ClientOptions): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, options);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_request, { statusCode }) => {
      reject(new Error(`refused: ${statusCode}`));
      socket.terminate();
    });
    socket.once('error', reject);
  });
}
