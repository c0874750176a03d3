// What goes wrong is said in words, with what to do, and nothing is left.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHermesConfig } from '../../../src/compose.ts';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';

describeWith('image-bookworm', address => {
  it.each([
    [
      'an image that nobody has',
      { TERMINAL_DOCKER_IMAGE: 'no-such.invalid/image:1' },
      /registry could not be reached|no image/,
    ],
    ['a runtime that is not there', { TERMINAL_DOCKER_RUNTIME: 'no-such-runtime' }, /docker_runtime/],
    ['a user that is not there', { TERMINAL_DOCKER_USER: 'no-such-user' }, /docker_user/],
    ['a capability that is none', { TERMINAL_DOCKER_EXTRA_CAPS: '["NO_SUCH"]' }, /docker_extra_caps/],
  ])('explains %s', async (_, settings, message) => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend(settings);
    const error = await backend.create(ground.newSpec()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SANDBOX_NOT_CREATED', message: expect.stringMatching(message) });
    const left = await dockerCommand(
      address().docker,
      ...['ps', '--all', '--quiet', '--filter', `label=hermes.installation=${ground.installation}`],
    );
    expect(left).toBe('');
  });

  it('explains a mount that does not exist', async () => {
    await using ground = await DockerGround.make(address());
    const mounts = [{ source: join(ground.home, 'none'), target: '/x', readOnly: true }];
    await expect(ground.open({ mounts })).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('does not exist'),
    });
  });

  it('throws SANDBOX_PROGRAM_MISSING for a program that is not there, and SANDBOX_GONE for nothing else', async () => {
    await using ground = await DockerGround.make(address());
    const sandbox = await ground.create(await ground.backend());
    await expect(sandbox.spawn(['no-such-program'])).rejects.toMatchObject({
      code: 'SANDBOX_PROGRAM_MISSING',
    });
    const process = await sandbox.spawn(['sh', '-c', 'exit 3']);
    expect(await process.exit).toEqual({ code: 3 });
  });

  it('finds nothing in the way, or says that the image is not there yet', async () => {
    await using ground = await DockerGround.make(address());
    expect(await (await ground.backend()).check()).toEqual([]);
    const absent = await ground.backend({ TERMINAL_DOCKER_IMAGE: 'no-such.invalid/image:1' });
    expect(await absent.check()).toEqual([
      {
        message: expect.stringContaining('no-such.invalid/image:1'),
        fix: expect.stringContaining('docker pull'),
      },
    ]);
  });

  it('says what to do where no engine answers', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({}, `unix://${join(ground.home, 'nothing')}`);
    expect(await backend.check()).toEqual([
      {
        message: expect.stringContaining('No Docker engine answers'),
        fix: expect.stringContaining('DOCKER_HOST'),
      },
    ]);
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    await mkdir(join(ground.home, 'folder'));
    const odd = await ground.backend({}, `unix://${join(ground.home, 'folder')}`);
    expect(await odd.check()).toHaveLength(1);
  });
});

describeWith('image-nobash', address => {
  it('says that there is no bash', async () => {
    await using ground = await DockerGround.make(address());
    await expect(ground.open()).rejects.toMatchObject({ code: 'SANDBOX_NO_BASH' });
  });
});

describe('settings', () => {
  it.each(['host', 'container:abc'])('refuse the network %s', async network => {
    const variables = { HERMES_HOME: '/nonexistent', TERMINAL_DOCKER_NETWORK: network };
    await expect(loadHermesConfig(variables)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
