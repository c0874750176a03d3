// Images that the engine pulls itself, from a protocol double of a registry on loopback.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { dockerCommand } from '../../services/docker.ts';
import { freePort } from '../../services/free-port.ts';
import { describeWith } from '../../services/use-service.ts';
import { runProgram } from '../run-program.ts';
import { DockerGround } from './ground.ts';
import { RegistryDouble } from './registry-double.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const PULL_LIMIT_MS = 15 * 60_000;

/** Lets the registry send its layer piece by piece until that is over. */
async function sendUntil(over: Promise<unknown>, registry: RegistryDouble): Promise<void> {
  const isOver = over.then(() => 'over');
  const sendPiece = () => {
    registry.sendPiece();
    return Promise.race([isOver, 'not yet']);
  };
  await expect.poll(sendPiece).toBe('over');
}

describeWith('docker-loopback', address => {
  it('is pulled with progress, once, by the first sandbox that wants it', async () => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    let ms = 0;
    // Three seconds pass between any two looks at it, so that every step of the engine is told.
    const clock = { ...systemClock, monotonic: () => (ms += 3_000) };
    const backend = await ground.backend({ TERMINAL_DOCKER_IMAGE: registry.image }, {}, clock);
    expect(await backend.check()).toMatchObject([{ message: expect.stringContaining('not on this engine') }]);
    const creation = ground.create(backend);
    await sendUntil(creation, registry);
    const handle = await ground.enter(await creation);
    expect((await handle.exec('stat -c %s /new')).stdout).toBe('3000000\n');
    expect(ground.said[0]).toBe(`Pulling the image ${registry.image}.`);
    expect(ground.said.join('\n')).toMatch(/: [56] of 7 MB so far/);
    expect(await backend.check()).toEqual([]);
    const before = ground.said.length;
    await ground.create(backend);
    expect(ground.said).toHaveLength(before);
  });

  it('is asked for by hermes config check, which pulls nothing', async () => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    const check = async (image: string, ...words: string[]) => {
      const env = {
        ...{ HERMES_HOME: ground.home, TERMINAL_ENV: 'docker', DOCKER_HOST: address().docker.host },
        TERMINAL_DOCKER_IMAGE: image,
      };
      const args = ['config', 'check', '--json', '--set', 'gateway.http_port=0', ...words];
      const { code, stdout } = await runProgram([process.execPath, program, ...args], { env });
      const { found } = JSON.parse(stdout) as { found: { severity: string; message: string }[] };
      const { severity, message } = found.find(each => each.message.startsWith('The image ')) ?? {};
      return { code, severity, message };
    };
    const none = `${registry.image}-none`;
    expect(await check(address().image)).toEqual({ code: 0 });
    expect(await check(registry.image)).toMatchObject({
      ...{ code: 0, severity: 'warning', message: expect.stringContaining('the start pulls it') },
    });
    expect(await check(none)).toMatchObject({
      ...{ code: 78, severity: 'error', message: expect.stringContaining(`${none} is not here and cannot`) },
    });
    expect(await check(none, '--offline')).toEqual({ code: 0 });
    expect(await dockerCommand(address().docker, 'images', '--quiet', registry.image)).toBe('');
  });

  it('is a warning for hermes doctor, which then has it pulled', async () => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    const env = {
      HERMES_HOME: ground.home,
      TERMINAL_ENV: 'docker',
      DOCKER_HOST: address().docker.host,
      TERMINAL_DOCKER_IMAGE: registry.image,
    };
    const running = runProgram([process.execPath, program, 'doctor'], { env });
    await sendUntil(running, registry);
    const { code, stdout, stderr } = await running;
    expect(stdout).toMatch(/^docker \S+ +works/m);
    expect(stdout).toMatch(/^1\. docker: warning: The image \S+ is\s+not\s+on\s+this\s+engine\s+yet/m);
    expect(stderr).toContain('Pulling the image');
    expect(stdout).toMatch(/^versions [\s\S]*runc\s+\d/m);
    expect(code).toBe(0);
  });
});

describeWith('docker-loopback', address => {
  it('is given up when the time limit of its phase passes', async () => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    const clock = manualClock();
    const backend = await ground.backend({ TERMINAL_DOCKER_IMAGE: registry.image }, {}, clock);
    const creation = backend.create(ground.newSpec());
    await registry.begun;
    clock.advance(PULL_LIMIT_MS);
    await expect(creation).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('phase pull took longer than 900 s'),
    });
    expect(await dockerCommand(address().docker, 'images', '--quiet', registry.image)).toBe('');
  });

  it('is given up when the caller cancels', async () => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    const backend = await ground.backend({ TERMINAL_DOCKER_IMAGE: registry.image });
    const caller = new AbortController();
    const creation = backend.create(ground.newSpec(), { signal: caller.signal });
    await registry.begun;
    caller.abort();
    await expect(creation).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it.each([
    ['that does not exist', 'test/none:1', /There is no image .*terminal\.docker_image/],
    ['that is private', 'test/private:1', /not public.*docker login/],
  ])('explains one %s', async (_, name, message) => {
    await using ground = await DockerGround.make(address());
    await using registry = await RegistryDouble.start(address());
    const image = registry.image.replace('test/image:1', name);
    const backend = await ground.backend({ TERMINAL_DOCKER_IMAGE: image });
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringMatching(message),
    });
  });

  it('explains a registry that does not answer', async () => {
    await using ground = await DockerGround.make(address());
    const image = `127.0.0.1:${await freePort()}/test/image:1`;
    await expect(ground.open({ image })).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringMatching(/registry could not be reached.*docker load/),
    });
  });
});
