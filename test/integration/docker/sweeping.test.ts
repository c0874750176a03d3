// What a sweeper finds and ends: containers that were left half made, stopped, broken or paused, and none of anybody else's.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

describeWith('image-busybox', address => {
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);

  /** As a crash leaves it: created and never started. */
  async function halfMake(ground: DockerGround, id: string, created: Date): Promise<string> {
    const labels = { installation: ground.installation, sandbox: id, created: created.toISOString() };
    const flags = Object.entries(labels).flatMap(([key, value]) => ['--label', `hermes.${key}=${value}`]);
    const name = `hermes-${id}`;
    await docker('create', '--network', 'none', '--name', name, ...flags, address().image, 'true');
    return name;
  }

  it('is cleared away when it was left half made long ago, and let be when it may still be under way', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const old = await halfMake(ground, `${ground.installation}-old`, new Date('2020-01-01'));
    const young = await halfMake(ground, `${ground.installation}-young`, new Date());
    const refs = await listed(backend, ground.installation);
    expect(refs.map(({ name }) => name).sort()).toEqual([old, young].sort());
    for (const ref of refs) await expect(backend.attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    const [left, ...others] = await listed(backend, ground.installation);
    expect([left?.name, others]).toEqual([young, []]);
    if (left) await backend.destroy?.(left);
    expect(await listed(backend, ground.installation)).toEqual([]);
  });

  it('is ended by its reference alone, in every state, twice if need be', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const source = join(ground.home, 'mounted');
    await mkdir(source);
    const mounts = [{ source, target: '/data', readOnly: true }];
    const [running, stopped, broken, paused] = await Promise.all([
      ground.create(backend),
      ground.create(backend),
      ground.create(backend, { mounts }),
      ground.create(backend),
    ]);
    await Promise.all([stopped.suspend?.(), broken.suspend?.(), docker('pause', paused.ref.name)]);
    await rm(source, { recursive: true });
    await expect(backend.attach(broken.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    const refs = await listed(backend, ground.installation);
    expect(refs).toHaveLength(4);
    for (const ref of [...refs, running.ref]) await backend.destroy?.(ref);
    expect(await listed(backend, ground.installation)).toEqual([]);
  });

  it('leaves a container alone that only has the name', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const name = await halfMake(ground, `${ground.installation}-x`, new Date());
    const [ref] = await listed(backend, ground.installation);
    if (!ref) throw new Error('it was listed a moment ago');
    await backend.destroy?.({ ...ref, installation: 'another' });
    await backend.destroy?.({ ...ref, id: 'another' });
    expect((await listed(backend, ground.installation)).map(each => each.name)).toEqual([name]);
    await backend.destroy?.(ref);
    expect(await listed(backend, ground.installation)).toEqual([]);
  });

  it('says that no engine answers', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({}, { DOCKER_HOST: `unix://${join(ground.home, 'nothing')}` });
    const ref = { backend: 'docker', id: 'x', name: 'hermes-x', installation: ground.installation };
    await expect(backend.destroy?.(ref)).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
  });
});
