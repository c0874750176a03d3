import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveEndpoint, usualSockets } from './endpoint.ts';

let home = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'endpoint-'));
  await mkdir(join(home, '.docker'));
  await writeFile(join(home, '.docker/config.json'), JSON.stringify({ currentContext: 'far' }));
  await addContext('far', 'tcp://192.0.2.1:2376');
  await addContext('near', 'unix:///near.sock');
  const tls = join(home, '.docker/contexts/tls', digestOf('far'), 'docker');
  await mkdir(tls, { recursive: true });
  for (const name of ['ca', 'cert', 'key']) await writeFile(join(tls, `${name}.pem`), `the ${name}`);
});
afterAll(() => rm(home, { recursive: true }));

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

async function addContext(name: string, Host: string): Promise<void> {
  const folder = join(home, '.docker/contexts/meta', digestOf(name));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host } } }));
}

describe('the endpoint of the engine', () => {
  it('is DOCKER_HOST, whatever the context is', async () => {
    const environment = { HOME: home, DOCKER_HOST: 'unix:///tmp/a.sock', DOCKER_CONTEXT: 'near' };
    expect(await resolveEndpoint(environment)).toEqual({
      address: { socketPath: '/tmp/a.sock' },
      origin: 'DOCKER_HOST',
    });
  });

  it('is plain TCP with the usual port unless TLS is asked for', async () => {
    const { address } = await resolveEndpoint({ DOCKER_HOST: 'tcp://192.0.2.1' });
    expect(address).toEqual({ host: '192.0.2.1', port: 2375 });
  });

  it('is an IPv6 address without its brackets', async () => {
    const { address } = await resolveEndpoint({ DOCKER_HOST: 'tcp://[2001:db8::1]:99' });
    expect(address).toEqual({ host: '2001:db8::1', port: 99 });
  });

  it('has the certificates of DOCKER_CERT_PATH when DOCKER_TLS_VERIFY is set', async () => {
    const DOCKER_CERT_PATH = join(home, '.docker/contexts/tls', digestOf('far'), 'docker');
    const environment = { DOCKER_HOST: 'tcp://192.0.2.1', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH };
    expect((await resolveEndpoint(environment)).address).toEqual({
      host: '192.0.2.1',
      port: 2376,
      tls: { ca: 'the ca', cert: 'the cert', key: 'the key' },
    });
  });

  it('is that of the current context, with its certificates', async () => {
    const { address, origin } = await resolveEndpoint({ HOME: home });
    expect(origin).toBe('context far');
    expect(address).toMatchObject({ host: '192.0.2.1', port: 2376, tls: { key: 'the key' } });
  });

  it('is that of DOCKER_CONTEXT before the current one', async () => {
    expect(await resolveEndpoint({ HOME: home, DOCKER_CONTEXT: 'near' })).toEqual({
      address: { socketPath: '/near.sock' },
      origin: 'context near',
    });
  });

  it('is a rootless socket when there is one', async () => {
    const socket = join(home, 'docker.sock');
    const server = createServer().listen(socket);
    try {
      const environment = { HOME: '/nonexistent', DOCKER_CONTEXT: 'default', XDG_RUNTIME_DIR: home };
      const { address } = await resolveEndpoint(environment);
      // A machine with an engine of its own has that first.
      expect(['/var/run/docker.sock', socket]).toContain('socketPath' in address && address.socketPath);
    } finally {
      server.close();
    }
  });

  it('is looked for at the engines’ usual places, Docker first, Podman last', () => {
    expect(usualSockets({ HOME: '/h', XDG_RUNTIME_DIR: '/r' })).toEqual([
      '/var/run/docker.sock',
      '/r/docker.sock',
      '/h/.docker/run/docker.sock',
      '/r/podman/podman.sock',
      '/run/podman/podman.sock',
    ]);
  });

  it.each([
    ['ssh://me@there', /ssh are not supported/],
    ['fd://', /accepted are/],
    ['nonsense', /accepted are/],
  ])('is refused as %s', async (DOCKER_HOST, message) => {
    await expect(resolveEndpoint({ DOCKER_HOST })).rejects.toThrow(message);
  });

  it('is refused when the context does not exist', async () => {
    await expect(resolveEndpoint({ HOME: home, DOCKER_CONTEXT: 'none' })).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('docker context use'),
    });
  });
});
