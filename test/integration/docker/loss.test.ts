// Containers and engines that go away under a running command.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { DockerGround } from './ground.ts';

describeWith('image-bookworm', address => {
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);

  it.each([
    ['killed', ['kill', '--signal', 'KILL']],
    ['stopped', ['stop', '--time', '1']],
    ['removed', ['rm', '--force']],
  ])('tells a running command sandbox-lost when it is %s from outside', async (_, command) => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running = started.map((start, at) =>
      handle.exec('echo started; sleep 60', { persistent: at === 1, onOutput: () => start.resolve() }),
    );
    await Promise.all(started.map(({ promise }) => promise));
    await docker(...command, sandbox.ref.name);
    for (const result of await Promise.all(running)) {
      expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'started\n' });
      expect(result).not.toHaveProperty('exitCode');
    }
    await expect(handle.exec('true')).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('tells a running command sandbox-lost when the engine goes away', async () => {
    await using ground = await DockerGround.make(address());
    const between = join(ground.home, 's');
    const sockets = new Set<Socket>();
    const proxy = createServer({ allowHalfOpen: true }, socket => {
      const upstream = connect({ path: address().docker.socket, allowHalfOpen: true });
      for (const each of [socket, upstream]) {
        sockets.add(each);
        each.on('error', () => each.destroy());
      }
      socket.pipe(upstream).pipe(socket);
    }).listen(between);
    await once(proxy, 'listening');
    const backend = await ground.backend({}, { DOCKER_HOST: `unix://${between}` });
    const sandbox = await ground.create(backend);
    const handle = await ground.enter(sandbox);
    const started = Promise.withResolvers<void>();
    const running = handle.exec('echo started; sleep 60', { onOutput: () => started.resolve() });
    await within(started.promise, 'the command to start');
    proxy.close();
    for (const socket of sockets) socket.destroy();
    expect(await running).toMatchObject({ outcome: 'sandbox-lost' });
    await expect(handle.exec('true')).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    await (await ground.backend()).attach(sandbox.ref).then(found => found.destroy());
    // The backend behind the proxy cannot be reached any more; there is nothing left to destroy through it.
    sandbox.destroy = async () => {};
  });
});
