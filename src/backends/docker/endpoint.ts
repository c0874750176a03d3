// Where the engine answers: what the docker client itself would use, in the same order, then the usual sockets.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Endpoint {
  readonly address: UnixAddress | TcpAddress;
  /** What decided it, for messages: `DOCKER_HOST`, a context's name, or a path. */
  readonly origin: string;
}

export interface UnixAddress {
  readonly socketPath: string;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls;
}

interface Tls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Throws UNAVAILABLE_BACKEND when what is configured cannot be used; whether anything answers is not asked here. */
export async function resolveEndpoint(environment: Environment): Promise<Endpoint> {
  const host = environment['DOCKER_HOST'];
  if (host) return fromHost(host, 'DOCKER_HOST', verifiedBy(environment));
  return (await fromContext(environment)) ?? fromUsualSockets(environment);
}

/** In this order; the first that is a socket is taken. */
export function usualSockets(environment: Environment): string[] {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const home = environment['HOME'];
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    ...(home ? [join(home, '.docker/run/docker.sock')] : []),
    ...(runtime ? [join(runtime, 'podman/podman.sock')] : []),
    '/run/podman/podman.sock',
  ];
}

export function describeAddress({ address }: Endpoint): string {
  return 'socketPath' in address ? address.socketPath : `${address.host}:${address.port}`;
}

/** The folder with certificates, or undefined when plain TCP was asked for. */
function verifiedBy(environment: Environment): string | undefined {
  if (!environment['DOCKER_TLS_VERIFY']) return undefined;
  return environment['DOCKER_CERT_PATH'] ?? configFolder(environment);
}

async function fromContext(environment: Environment): Promise<Endpoint | undefined> {
  const folder = configFolder(environment);
  const config = await readJson(join(folder, 'config.json'));
  const name = environment['DOCKER_CONTEXT'] || stringAt(config, 'currentContext');
  if (!name || name === 'default') return undefined;
  const digest = createHash('sha256').update(name).digest('hex');
  const meta = await readJson(join(folder, 'contexts/meta', digest, 'meta.json'));
  const host = stringAt(meta, 'Endpoints', 'docker', 'Host');
  if (host === undefined) {
    throw unusable(
      `The docker context ${name} does not exist in ${folder}. Choose another with \`docker context use\`, or set DOCKER_HOST.`,
    );
  }
  const certificates = join(folder, 'contexts/tls', digest, 'docker');
  const isTls = await exists(join(certificates, 'ca.pem'));
  return fromHost(host, `context ${name}`, isTls ? certificates : undefined);
}

async function fromUsualSockets(environment: Environment): Promise<Endpoint> {
  const sockets = usualSockets(environment);
  for (const socketPath of sockets) {
    if (await isSocket(socketPath)) return { address: { socketPath }, origin: socketPath };
  }
  // Nothing is there: the error of the first call names the usual one.
  const socketPath = sockets[0] ?? '/var/run/docker.sock';
  return { address: { socketPath }, origin: socketPath };
}

async function fromHost(host: string, origin: string, certificates: string | undefined): Promise<Endpoint> {
  if (host.startsWith('unix://')) return { address: { socketPath: host.slice('unix://'.length) }, origin };
  const url = URL.parse(host);
  if (url?.protocol === 'ssh:') {
    throw unusable(
      `${origin} is ${host}, and engines behind ssh are not supported. Forward its socket (\`ssh -L /tmp/docker.sock:/var/run/docker.sock …\`) and set DOCKER_HOST=unix:///tmp/docker.sock, or use the backend for remote machines.`,
    );
  }
  if (!url || !['tcp:', 'http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw unusable(`${origin} is ${host}; accepted are unix:///path and tcp://host:port.`);
  }
  const folder = certificates ?? (url.protocol === 'https:' ? '' : undefined);
  const port = Number(url.port) || (folder === undefined ? 2375 : 2376);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (folder === undefined) return { address: { host: hostname, port }, origin };
  return { address: { host: hostname, port, tls: await readTls(folder) }, origin };
}

async function readTls(folder: string): Promise<Tls> {
  const read = (name: string) => (folder === '' ? undefined : readText(join(folder, name)));
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key };
}

function configFolder(environment: Environment): string {
  return environment['DOCKER_CONFIG'] || join(environment['HOME'] ?? '/', '.docker');
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(`${file} is not JSON; mend or remove it.`, error);
  }
}

/** Undefined when there is no such file, or none that we may read. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return (await readText(file)) !== undefined;
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isSocket();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
}

function stringAt(value: unknown, ...path: string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function unusable(message: string, cause?: unknown): HermesError {
  return new HermesError('UNAVAILABLE_BACKEND', message, { cause });
}
