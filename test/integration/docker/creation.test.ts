// Making containers: many at once, cancelled, half made, and among those of others.
import { expect, it } from 'vitest';
import { useDraws } from '../../seed.ts';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

describeWith('image-bookworm', address => {
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);
  const containers = async (filter: string): Promise<string> =>
    (await docker('ps', '--all', '--format', '{{.Names}}', '--filter', filter)).trim();

  it('is ready twenty times at once', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const sandboxes = await Promise.all(Array.from({ length: 20 }, () => ground.create(backend)));
    const handles = await Promise.all(sandboxes.map(sandbox => ground.enter(sandbox)));
    const results = await Promise.all(handles.map((handle, at) => handle.exec(`echo ${at}`)));
    expect(results.map(({ stdout }) => Number(stdout))).toEqual([...handles.keys()]);
    expect(await listed(backend, ground.installation)).toHaveLength(20);
  }, 120_000);

  it('is not listed for another installation, and foreign containers never', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox } = await ground.open();
    const foreign = `foreign-${ground.installation}`;
    await docker('run', '--detach', '--network', 'none', '--name', foreign, address().image, 'sleep', '60');
    try {
      const backend = await ground.backend();
      expect(await listed(backend, ground.installation)).toEqual([sandbox.ref]);
      expect(await listed(backend, 'another')).toEqual([]);
      const ref = { ...sandbox.ref, id: 'other', name: foreign };
      await expect(backend.attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    } finally {
      await docker('rm', '--force', foreign);
    }
  });

  it('leaves nothing when its creation is cancelled at any moment', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const { moment } = useDraws();
    for (const mostMs of [0, 5, 20, 60, 120, 250]) {
      const abort = new AbortController();
      const creation = backend.create(ground.newSpec(), { signal: abort.signal });
      const [made] = await Promise.allSettled([creation, moment(mostMs).then(() => abort.abort())]);
      if (made.status === 'fulfilled') await made.value.destroy();
      else expect(made.reason).toMatchObject({ name: 'AbortError' });
    }
    expect(await containers(`label=hermes.installation=${ground.installation}`)).toBe('');
  });

  it('leaves nothing when it is half made: the container is there but cannot start', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({ TERMINAL_DOCKER_NETWORK: 'no-such-network' });
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('docker network ls'),
    });
    expect(await containers(`label=hermes.installation=${ground.installation}`)).toBe('');
  });

  it('leaves a container alone that has its name already', async () => {
    await using ground = await DockerGround.make(address());
    const spec = ground.newSpec();
    const name = `hermes-${spec.id}`;
    await docker('run', '--detach', '--network', 'none', '--name', name, address().image, 'sleep', '60');
    try {
      await expect((await ground.backend()).create(spec)).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
        message: expect.stringContaining('left alone'),
      });
      expect(await containers(`name=${name}`)).toBe(name);
    } finally {
      await docker('rm', '--force', name);
    }
  });
});
