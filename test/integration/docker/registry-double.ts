// A registry on loopback that speaks as much of the real protocol as a pull needs, and stops where a test wants it to.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../services/command.ts';
import { dockerCommand } from '../../services/docker.ts';
import type { ImageAddress } from '../../services/image.ts';

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

/** Big enough for an engine to tell how far it is. */
const OWN_LAYER_BYTES = 3_000_000;
const PIECE_BYTES = 200_000;

interface Layers {
  readonly config: Buffer;
  readonly layers: readonly Buffer[];
}

export class RegistryDouble implements AsyncDisposable {
  /** As in `docker pull`. */
  readonly image: string;
  /** Resolves when the engine has asked for the layer that it does not have, and got the first piece of it. */
  readonly begun: Promise<void>;
  readonly #server: Server;
  readonly #files = new Map<string, Buffer>();
  readonly #begun = Promise.withResolvers<void>();
  #last = '';
  #sendPiece: () => void = () => {};

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.image = `127.0.0.1:${port}/test/image:1`;
    this.begun = this.#begun.promise;
    server.on('request', (request, response) => this.#answer(request, response));
  }

  /** Serves the image of the engine with one more layer, which nobody has yet. */
  static async start(address: ImageAddress): Promise<RegistryDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('a TCP server has a port');
    const double = new RegistryDouble(server, at.port);
    double.#publish(await withOwnLayer(address));
    return double;
  }

  /** Sends another piece of the layer, which nobody gets otherwise. */
  sendPiece(): void {
    this.#sendPiece();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #publish({ config, layers }: Layers): void {
    const add = (content: Buffer, mediaType: string) => {
      const digest = digestOf(content);
      this.#files.set(digest, content);
      return { mediaType, size: content.length, digest };
    };
    const listed = layers.map(layer => add(layer, 'application/vnd.docker.image.rootfs.diff.tar.gzip'));
    this.#last = listed.at(-1)?.digest ?? '';
    const manifest = {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: add(config, 'application/vnd.docker.container.image.v1+json'),
      layers: listed,
    };
    this.#files.set('1', Buffer.from(JSON.stringify(manifest)));
  }

  #answer({ url = '', method }: IncomingMessage, response: ServerResponse): void {
    const [, kind, name = ''] = /^\/v2\/test\/image\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
    if (url === '/v2/') return void response.end('{}');
    if (url.startsWith('/v2/test/private/')) return void response.writeHead(401).end(fault('UNAUTHORIZED'));
    const digests = [...this.#files].map(([key, content]) => [key, digestOf(content)] as const);
    const key = digests.find(each => each.includes(name))?.[0] ?? '';
    const content = this.#files.get(key);
    if (kind === undefined || content === undefined) {
      return void response.writeHead(404).end(fault('MANIFEST_UNKNOWN'));
    }
    response.writeHead(200, {
      'Content-Type': kind === 'manifests' ? MANIFEST : 'application/octet-stream',
      'Content-Length': content.length,
      'Docker-Content-Digest': digestOf(content),
    });
    if (method === 'HEAD') response.end();
    else if (key === this.#last) this.#sendInPieces(content, response);
    else response.end(content);
  }

  #sendInPieces(content: Buffer, response: ServerResponse): void {
    let sent = 0;
    this.#sendPiece = () => {
      const piece = content.subarray(sent, sent + PIECE_BYTES);
      sent += piece.length;
      if (sent < content.length) response.write(piece);
      else response.end(piece);
    };
    this.#sendPiece();
    this.#begun.resolve();
  }
}

function fault(code: string): string {
  return JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] });
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

async function withOwnLayer({ docker, image }: ImageAddress): Promise<Layers> {
  const dir = await mkdtemp(join(tmpdir(), 'registry-'));
  try {
    const path = (name: string): string => join(dir, name);
    await dockerCommand(docker, 'save', '--output', path('image.tar'), image);
    await writeFile(path('new'), randomBytes(OWN_LAYER_BYTES));
    await runCommand(['tar', '-C', dir, '-cf', path('own.tar'), 'new']);
    await runCommand(['tar', '-C', dir, '-xf', path('image.tar')]);
    // The documented files of an image archive.
    const [manifest] = JSON.parse(await readFile(path('manifest.json'), 'utf8')) as {
      Config: string;
      Layers: string[];
    }[];
    const names = [...(manifest?.Layers ?? []), 'own.tar'];
    const layers = await Promise.all(names.map(name => readFile(path(name))));
    const config = JSON.parse(await readFile(path(manifest?.Config ?? ''), 'utf8'));
    config.rootfs.diff_ids.push(digestOf(layers.at(-1) ?? Buffer.alloc(0)));
    delete config.history;
    return { config: Buffer.from(JSON.stringify(config)), layers };
  } finally {
    await rm(dir, { recursive: true });
  }
}
