// Listeners on this machine that nobody in a sandbox should reach. Each counts who came.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { systemErrorCode } from '../base/errors.ts';

export interface Listener {
  /** Address, path or abstract name. */
  readonly at: string;
  /** Of the internet ones. */
  readonly port: number;
  /** How many connections or datagrams have come. */
  seen(): number;
  close(): Promise<void>;
}

const NOT_HERE = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EACCES', 'EADDRINUSE', 'EINVAL', 'EPERM'];

/** Undefined where this machine has no such address. */
export function listenTcp(host: string): Promise<Listener | undefined> {
  return listenStream({ host, port: 0 }, host);
}

export async function listenPath(path: string): Promise<Listener | undefined> {
  const listener = await listenStream({ path }, path);
  // Only the sandbox's walls may keep it out, not the mode of the socket.
  if (listener && !path.startsWith('\0')) await chmod(path, 0o777);
  return listener;
}

async function listenStream(options: ListenOptions, at: string): Promise<Listener | undefined> {
  let count = 0;
  const server = createServer(socket => {
    count += 1;
    socket.on('error', () => socket.destroy());
    socket.end();
  });
  server.listen(options);
  if (!(await isListening(once(server, 'listening')))) return undefined;
  const address = server.address() as AddressInfo | string; // it listens
  return {
    at,
    port: typeof address === 'string' ? 0 : address.port,
    seen: () => count,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Datagrams at the first port that can be had. */
export async function listenUdp(host: string, ports: readonly number[]): Promise<Listener | undefined> {
  for (const port of ports) {
    let count = 0;
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4', () => {
      count += 1;
    });
    socket.bind(port, host);
    if (!(await isListening(once(socket, 'listening')))) continue;
    return {
      at: host,
      port: socket.address().port,
      seen: () => count,
      close: async () => {
        socket.close();
        await once(socket, 'close');
      },
    };
  }
  return undefined;
}

async function isListening(listening: Promise<unknown>): Promise<boolean> {
  try {
    await listening;
    return true;
  } catch (error) {
    if (NOT_HERE.includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
}
