import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { until, within } from '../../test/wait.ts';
import { boundedBody } from './bounded-body.ts';

const clock = manualClock();
let server: Server;
/** Of each request, the size of its body or why it was not read. */
let ends: Promise<number>[];
beforeEach(async () => {
  ends = [];
  server = createServer((incoming, response) => {
    const size = sizeOf(incoming);
    ends.push(size);
    // Whoever waits for it hears of a failure.
    size.finally(() => response.end()).catch(error => error);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function sizeOf(incoming: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const piece of boundedBody(incoming, { clock, mostBytes: 1000 })) size += piece.length;
  return size;
}

function post() {
  const { port } = server.address() as AddressInfo; // it listens on a port
  const sent = request({ port, host: '127.0.0.1', method: 'POST' });
  // Closed by the server where it refuses.
  sent.on('error', error => error);
  return sent;
}

async function ended(): Promise<number> {
  await until(() => ends.length > 0, 'it has begun');
  return within(Promise.all(ends), 'it ends').then(([size = 0]) => size);
}

describe('a body', () => {
  it('is given as it comes', async () => {
    post().end(Buffer.alloc(1000));
    expect(await ended()).toBe(1000);
    expect(clock.pending()).toEqual([]);
  });

  it('is refused as soon as there is too much of it', async () => {
    post().write(Buffer.alloc(1001));
    await expect(ended()).rejects.toMatchObject({
      code: 'USAGE_BAD_ARGUMENTS',
      message: expect.stringContaining('1000'),
    });
  });

  it('is not waited for when nothing more comes, and its connection is closed', async () => {
    const sent = post();
    const closed = new Promise(resolve => sent.once('close', resolve));
    sent.write('x');
    const waiting = ended();
    waiting.catch(error => error);
    await until(() => clock.pending().length > 0, 'it is waited for');
    clock.advance(30_000);
    await expect(waiting).rejects.toMatchObject({ message: 'Nothing came for 30 s.' });
    await within(closed, 'the connection is closed');
  });
});
