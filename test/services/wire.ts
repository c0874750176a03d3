// The line between a test's process and the one that owns the services: one JSON line asks, one answers.
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { NotAvailable } from './service.ts';

interface Question {
  readonly service: string;
}

type Answer = { readonly address: unknown } | { readonly notAvailable: string } | { readonly failed: string };

/** Answers questions for services on a unix socket with what `find` returns or throws. */
export async function listen(path: string, find: (service: string) => Promise<unknown>): Promise<Server> {
  const answer = async (socket: Socket): Promise<void> => {
    for await (const line of createInterface({ input: socket })) {
      // Both ends are this file, started from the same clone.
      const { service } = JSON.parse(line) as Question;
      socket.end(`${JSON.stringify(await answerOf(service, find))}\n`);
    }
  };
  const server = createServer(socket => {
    // A test that is gone no longer waits for its answer.
    socket.on('error', () => socket.destroy());
    answer(socket).catch((error: Error) => socket.destroy(error));
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

async function answerOf(service: string, find: (service: string) => Promise<unknown>): Promise<Answer> {
  try {
    return { address: await find(service) };
  } catch (error) {
    if (error instanceof NotAvailable) return { notAvailable: error.message };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Asks for a service by name and waits until it runs. Throws `NotAvailable`, or an error with what went wrong. */
export async function ask(path: string, service: string): Promise<unknown> {
  const socket = createConnection(path);
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ service } satisfies Question)}\n`);
  for await (const line of createInterface({ input: socket })) {
    // As above: our own other end.
    const answer = JSON.parse(line) as Answer;
    if ('address' in answer) return answer.address;
    if ('notAvailable' in answer) throw new NotAvailable(answer.notAvailable);
    throw new Error(`${service} could not be started: ${answer.failed}`);
  }
  throw new Error(`the test run was torn down while ${service} was being started`);
}
