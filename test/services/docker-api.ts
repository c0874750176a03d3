// The few calls to a Docker engine that the services themselves make, over its unix socket.
import { request } from 'node:http';
import { isErrno } from './command.ts';

class DockerError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** One call; resolves with the parsed answer, or text when it is not JSON. Throws `DockerError` on a status from 400 up. */
function dockerApi(socket: string, method: string, path: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const call = request({ socketPath: socket, method, path, timeout: 60_000 }, response => {
    const body: Buffer[] = [];
    response.on('data', (data: Buffer) => body.push(data));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(body).toString();
      const isJson = response.headers['content-type']?.startsWith('application/json');
      const status = response.statusCode ?? 500;
      if (status >= 400) reject(new DockerError(`Docker: ${method} ${path}: ${text}`, status));
      else resolve(isJson ? JSON.parse(text) : text);
    });
  });
  call.on('timeout', () => call.destroy(new Error(`Docker: ${method} ${path}: no answer`)));
  call.on('error', reject);
  call.end();
  return promise;
}

/** Whether an engine answers at that socket. */
export async function isDockerAlive(socket: string): Promise<boolean> {
  try {
    return (await dockerApi(socket, 'GET', '/_ping')) === 'OK';
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ECONNREFUSED', 'EACCES', 'ECONNRESET', 'EPIPE')) return false;
    throw error;
  }
}

/** A container, volume or network. */
export interface DockerThing {
  readonly kind: 'container' | 'volume' | 'network';
  readonly id: string;
  /** For a reader who looks for the test that made it. */
  readonly text: string;
  /** Whether only the tests can have made it. */
  readonly isOurs: boolean;
}

interface Listed {
  readonly Id?: string;
  readonly Name?: string;
  readonly Names?: readonly string[];
  readonly Image?: string;
  readonly Command?: string;
  readonly Status?: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
}

/** All containers, volumes and networks of an engine. */
export async function listDocker(socket: string): Promise<DockerThing[]> {
  // The engine's own documented answers.
  const containers = (await dockerApi(socket, 'GET', '/containers/json?all=1')) as Listed[];
  const volumes = (await dockerApi(socket, 'GET', '/volumes')) as { Volumes: Listed[] | null };
  const networks = (await dockerApi(socket, 'GET', '/networks')) as Listed[];
  return [
    ...containers.map(it => thing('container', it.Id, it)),
    ...(volumes.Volumes ?? []).map(it => thing('volume', it.Name, it)),
    ...networks.map(it => thing('network', it.Id, it)),
  ];
}

function thing(kind: DockerThing['kind'], id: string | undefined, listed: Listed): DockerThing {
  const labels = Object.entries(listed.Labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const name = listed.Names?.join(',') ?? listed.Name ?? id;
  const details = [name, listed.Image, listed.Command, listed.Status, ...labels].filter(Boolean);
  return {
    kind,
    id: id ?? '',
    text: `${kind} ${details.join(' ')}`,
    isOurs:
      listed.Image?.startsWith('hermes-test:') === true || labels.some(label => label.startsWith('hermes')),
  };
}

/** Removes it, running or not; one that is gone meanwhile is fine. */
export async function removeFromDocker(socket: string, { kind, id }: DockerThing): Promise<void> {
  const path = {
    container: `/containers/${id}?force=1&v=1`,
    volume: `/volumes/${id}?force=1`,
    network: `/networks/${id}`,
  };
  try {
    await dockerApi(socket, 'DELETE', path[kind]);
  } catch (error) {
    // 404: gone. 409: the engine is removing it already.
    if (!(error instanceof DockerError && [404, 409].includes(error.status))) throw error;
  }
}
