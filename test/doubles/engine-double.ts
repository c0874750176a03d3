// A protocol double of a Docker engine, on loopback or a socket: says who it is, and makes nothing.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EngineAnswers {
  readonly engine?: string;
  readonly runc?: string;
  /** Added to what `/info` answers. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** It takes connections and never answers. */
  readonly isSilent?: boolean;
}

export interface EngineDouble {
  /** For DOCKER_HOST. */
  readonly host: string;
  close(): Promise<void>;
}

/** `socket`: a path; absent = any port of loopback. */
export async function startEngine(answers: EngineAnswers, socket?: string): Promise<EngineDouble> {
  const { engine = '29.6.0', runc = '1.4.9', info = {}, isSilent = false } = answers;
  const pages: Readonly<Record<string, unknown>> = {
    '/_ping': 'OK',
    '/version': {
      Components: [
        { Name: 'Engine', Version: engine },
        { Name: 'runc', Version: runc },
      ],
    },
    '/info': {
      ...{ NCPU: 2, ServerVersion: engine, MemoryLimit: true, SwapLimit: true, CpuCfsQuota: true },
      ...info,
    },
  };
  const server = createServer((request, response) => {
    if (isSilent) return;
    const page = pages[(request.url ?? '').replace(/^\/v[\d.]+/, '')];
    response.setHeader('Api-Version', '1.47');
    response.statusCode = page === undefined ? 404 : 200;
    response.end(typeof page === 'string' ? page : JSON.stringify(page ?? { message: 'not here' }));
  });
  if (socket === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socket);
  await once(server, 'listening');
  const host =
    socket === undefined ? `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix://${socket}`;
  return {
    host,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
