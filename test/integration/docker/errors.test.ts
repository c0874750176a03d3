// What goes wrong is said in words, with what to do, and nothing is left.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHermesConfig } from '../../../src/compose.ts';
import { prepareStart } from '../../../src/sessions/start.ts';
import { EXISTING_STATES } from '../../../src/store/sandbox-states.ts';
import { runCommand } from '../../services/command.ts';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { newHome, openGateway } from '../sessions/world.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

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
        severity: 'warning',
      },
    ]);
  });

  it('says what to do where no engine answers', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend({}, { DOCKER_HOST: `unix://${join(ground.home, 'nothing')}` });
    expect(await backend.check()).toEqual([
      {
        message: expect.stringContaining('No Docker engine answers'),
        fix: expect.stringContaining('DOCKER_HOST'),
      },
    ]);
    await expect(backend.create(ground.newSpec())).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    await mkdir(join(ground.home, 'folder'));
    const odd = await ground.backend({}, { DOCKER_HOST: `unix://${join(ground.home, 'folder')}` });
    expect(await odd.check()).toHaveLength(1);
  });
});

describeWith('image-bookworm', address => {
  it('says what to do for a user who may not use the engine', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('not run: only root can become somebody else for a moment');
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    process.seteuid?.(65_534);
    try {
      const [problem] = await backend.check();
      expect(problem?.message).toMatch(/^This user may not use the Docker engine at /);
      expect(problem?.fix).toContain('usermod -aG docker');
      await expect(backend.create(ground.newSpec())).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    } finally {
      process.seteuid?.(0);
    }
  });
});

describeWith('docker-loopback', address => {
  it('says that an image is for another processor', async () => {
    await using ground = await DockerGround.make(address());
    const foreign = process.arch === 'x64' ? { name: 'arm64', number: 183 } : { name: 'amd64', number: 62 };
    const program = Buffer.alloc(64);
    program.write('\x7fELF\x02\x01\x01', 'latin1');
    program.writeUInt16LE(2, 16);
    program.writeUInt16LE(foreign.number, 18);
    await mkdir(join(ground.home, 'root/bin'), { recursive: true });
    for (const name of ['sleep', 'sh', 'bash'])
      await writeFile(join(ground.home, 'root/bin', name), program, { mode: 0o755 });
    const layer = join(ground.home, 'layer.tar');
    await runCommand(['tar', '-C', join(ground.home, 'root'), '-cf', layer, 'bin']);
    const image = `foreign:${ground.installation}`;
    // Written by hand: older engines give every import their own architecture.
    const digest = createHash('sha256')
      .update(await readFile(layer))
      .digest('hex');
    const config = {
      architecture: foreign.name,
      os: 'linux',
      config: { Env: ['PATH=/bin'] },
      rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
    };
    const manifest = [{ Config: 'config.json', RepoTags: [image], Layers: ['layer.tar'] }];
    await writeFile(join(ground.home, 'config.json'), JSON.stringify(config));
    await writeFile(join(ground.home, 'manifest.json'), JSON.stringify(manifest));
    const archive = join(ground.home, 'image.tar');
    const parts = ['layer.tar', 'config.json', 'manifest.json'];
    await runCommand(['tar', '-C', ground.home, '-cf', archive, ...parts]);
    await dockerCommand(address().docker, 'load', '-i', archive);
    await expect(ground.open({ image })).rejects.toMatchObject({
      message: expect.stringMatching(/for another processor/),
    });
    expect(await listed(await ground.backend(), ground.installation)).toEqual([]);
  });
});

describeWith('image-nobash', address => {
  it('says that there is no bash', async () => {
    await using ground = await DockerGround.make(address());
    await expect(ground.open()).rejects.toMatchObject({ code: 'SANDBOX_NO_BASH' });
  });

  it.each([
    ['an image without bash', undefined, /no bash|bash/],
    [
      'a missing image',
      'no-such.invalid/image:1',
      /no-such\.invalid\/image:1.*gateway\.sandbox_image, .*config\.yaml:2/s,
    ],
  ])('a gateway does not start with %s, says what to do, and leaves nothing', async (_, image, reason) => {
    const { docker, image: withoutBash } = address();
    const home = await newHome();
    await writeFile(join(home, 'config.yaml'), `gateway:\n  sandbox_image: "${image ?? withoutBash}"\n`);
    const gateway = await openGateway({
      home,
      environment: { TERMINAL_ENV: 'docker', DOCKER_HOST: docker.host, TERMINAL_CONTAINER_MEMORY: '256' },
    });
    try {
      await expect(prepareStart(gateway.world)).rejects.toMatchObject({
        code: 'UNAVAILABLE_BACKEND',
        message: expect.stringMatching(reason),
      });
      await expect(prepareStart(gateway.world)).rejects.toThrow('set gateway.sandbox_image to one with bash');
      expect(await listed(gateway.backend, gateway.world.installation)).toEqual([]);
      expect(await gateway.world.store.ledger.list({ states: EXISTING_STATES })).toEqual([]);
    } finally {
      await gateway.close();
    }
  });
});

describe('settings', () => {
  it.each(['host', 'container:abc'])('refuse the network %s', async network => {
    const variables = { HERMES_HOME: '/nonexistent', TERMINAL_DOCKER_NETWORK: network };
    await expect(loadHermesConfig(variables)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
