// An engine that is reached over TCP with certificates.
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeCertificates } from '../../services/certificates.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';

describeWith('docker-loopback', address => {
  const secured = (certificates = address().certificates) => ({
    DOCKER_HOST: address().tcp,
    DOCKER_TLS_VERIFY: '1',
    DOCKER_CERT_PATH: certificates,
  });

  it('runs commands over TLS, with input that ends and output of some size', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({}, secured());
    expect(await backend.check()).toEqual([]);
    const handle = await ground.enter(await ground.create(backend));
    expect((await handle.exec('cat; exit 3', { stdin: 'through' })).stdout).toBe('through');
    const much = await handle.exec('head -c 300000 /dev/zero | tr "\\0" x', { keepBytes: 400_000 });
    expect(much.stdout.length).toBe(300_000);
    expect((await handle.exec('sleep 30', { timeoutMs: 100 })).outcome).toBe('timed-out');
    const direct = await (await ground.create(backend)).spawn(['cat']);
    await direct.write(Buffer.from('end of input\n'));
    direct.end();
    expect(await direct.exit).toEqual({ code: 0 });
  });

  it('refuses an engine that another authority vouches for, and says what to check', async () => {
    await using ground = await DockerGround.make(address());
    const { client } = await makeCertificates('openssl', ground.home);
    const backend = await ground.backend({}, secured(join(client.ca, '..')));
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringMatching(/No secure connection.*DOCKER_CERT_PATH/s),
    });
  });

  it.each([
    ['without a certificate', { DOCKER_CERT_PATH: '/nonexistent' }, /DOCKER_CERT_PATH/],
    ['without TLS', { DOCKER_TLS_VERIFY: '' }, /talks TLS only.*DOCKER_TLS_VERIFY=1/s],
  ])('says what is missing when it is asked %s', async (_, engine, message) => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({}, { ...secured(), ...engine });
    expect(await backend.check()).toHaveLength(1);
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringMatching(message),
    });
  });

  it('says what is missing when the engine wants a certificate and gets none', async () => {
    await using ground = await DockerGround.make(address());
    const { client } = await makeCertificates('openssl', ground.home);
    const folder = join(client.ca, '..');
    await Promise.all(['cert.pem', 'key.pem'].map(name => rm(join(folder, name))));
    await copyFile(join(address().certificates, 'ca.pem'), join(folder, 'ca.pem'));
    const backend = await ground.backend({}, secured(folder));
    const [problem] = await backend.check();
    expect(problem?.fix).toContain('DOCKER_CERT_PATH');
  });
});
