// The road between the SDK and the Modal double: as long as one wants it, and it can be cut.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Ends all connections, and takes none until it is mended. */
  cut(): void;
  mend(): void;
  /** How many connections were not taken. */
  refused(): number;
  close(): Promise<void>;
}

/** Straight to it, where no length is wanted: every byte on the road costs time. It cannot be cut. */
export function straightTo(port: number): Relay {
  const cut = (): never => {
    throw new Error('only a road with a length can be cut');
  };
  return { port, cut, mend: cut, refused: () => 0, close: async () => undefined };
}

/** `latencyMs`: each way. */
export async function startRelay(target: number, latencyMs: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let [isCut, refused] = [false, 0];
  const server = createServer({ noDelay: true }, near => {
    if (isCut) {
      refused++;
      return void near.destroy();
    }
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.once('close', () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), latencyMs);
      });
      from.on('error', () => from.destroy());
      if (latencyMs === 0) from.pipe(to);
      else {
        from.on('data', data => setTimeout(() => to.write(data), latencyMs));
        from.on('end', () => setTimeout(() => to.end(), latencyMs));
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // of a server that listens on a port
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    refused: () => refused,
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server that answers what it is told, and as far away: what a bare round trip costs on this machine now. */
export async function startEcho(latencyMs: number) {
  const server = createServer({ noDelay: true }, socket => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await startRelay((server.address() as AddressInfo).port, latencyMs); // it listens on a port
  const socket = connect({ port: relay.port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return {
    ask: async () => {
      socket.write('hi');
      await once(socket, 'data');
    },
    close: async () => {
      socket.destroy();
      await relay.close();
      server.close();
    },
  };
}
