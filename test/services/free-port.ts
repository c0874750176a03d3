// A port of the loopback interface for programs that cannot choose one themselves.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that was free a moment ago; someone else may take it first, and then the program's start fails. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
