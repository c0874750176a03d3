// A way to a Docker engine that knows what the engine is still busy with, also for those who were killed: an engine
// finishes what it was asked, whoever has gone meanwhile.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextTurn } from '../../../src/base/clock.ts';
import { within } from '../../wait.ts';

export interface EngineRelay {
  /** As in DOCKER_HOST. */
  readonly host: string;
  /** Resolves when the engine has answered everything that was asked through here by those who are gone. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function relayTo(host: string): Promise<EngineRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-relay-'));
  const path = join(folder, 'docker.sock');
  const busy = new Map<Socket, Promise<void>>();
  const server = createServer(client => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const engine = relay(client, new URL(host).pathname);
    busy.set(engine, promise);
    engine.once('close', () => {
      busy.delete(engine);
      resolve();
    });
  });
  await new Promise<void>(resolve => server.listen(path, resolve));
  return {
    host: `unix://${path}`,
    async settled() {
      // What came in at the very end is accepted.
      await nextTurn();
      await within(Promise.all(busy.values()), 'the engine has finished what it was asked');
    },
    async close() {
      for (const engine of busy.keys()) engine.destroy();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A request that was made is heard to its end; a stream of a process inside ends with whoever listens. */
function relay(client: Socket, path: string): Socket {
  let isStream = false;
  const engine = connect(path);
  engine.on('data', chunk => {
    isStream ||= chunk.subarray(0, 12).toString() === 'HTTP/1.1 101';
    if (!client.destroyed) client.write(chunk);
  });
  client.on('data', chunk => void engine.write(chunk));
  client.on('close', () => void (isStream ? engine.destroy() : engine.end()));
  engine.on('close', () => void client.destroy());
  // Either of them may break off at any time; both are closed then.
  client.on('error', () => {});
  engine.on('error', () => {});
  return engine;
}
