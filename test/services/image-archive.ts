// Container images as archive files that `docker load` and Apptainer's `docker-archive:` read, made without a registry.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unpackedPackage } from './apt.ts';
import { exists, runCommand } from './command.ts';
import { bookwormRecipe, debianRoot, keyOf, rootKey, slimRecipe } from './debian-root.ts';
import { withLock } from './lock.ts';
import { installPackages, lockKey } from './npm-cache.ts';
import type { ServiceContext } from './service.ts';

export const imageNames = ['bookworm', 'busybox', 'nobash', 'slim', 'packages'] as const;
export type ImageName = (typeof imageNames)[number];

/** A folder to be packed, and what identifies its content. */
interface Content {
  readonly key: string;
  folder(): Promise<string>;
}

const contents: Record<ImageName, (context: ServiceContext) => Promise<Content>> = {
  /** Debian 12 with bash, coreutils, procps, Python and bubblewrap. */
  bookworm: async context => ({
    key: rootKey(bookwormRecipe),
    folder: () => debianRoot(context, bookwormRecipe),
  }),
  /** Debian 12 with apt and ssh. */
  slim: async context => ({ key: rootKey(slimRecipe), folder: () => debianRoot(context, slimRecipe) }),
  /** bash and busybox, nothing else. */
  busybox: context => busyboxContent(context, 'with bash'),
  /** busybox only: its `sh` is the only shell. */
  nobash: context => busyboxContent(context, 'without bash'),
  /** busybox, and what `npm ci` installs for the image of the gateway. */
  packages: async context => {
    const base = await busyboxContent(context, 'without bash');
    const folder = async () => addPackages(context, await base.folder());
    return { key: keyOf(base.key, await lockKey(), NPM), folder };
  },
};

/** Has done it before, by the same call, for the very lock file that lies there. */
const NPM = `#!/bin/sh
[ "$*" = 'ci --omit=dev --ignore-scripts' ] && cmp package-lock.json /opt/installed.json
`;

/** Puts them where docker/Dockerfile wants them. Those of other lock files are of no use any more. */
async function addPackages(context: ServiceContext, root: string): Promise<string> {
  const images = join(context.cacheDir, 'images');
  for (const name of await readdir(images)) if (/^packages-.*\.tar$/.test(name)) await rm(join(images, name));
  const folder = join(root, 'opt/hermes');
  await mkdir(folder, { recursive: true });
  context.say('installing the packages of the project');
  await installPackages(context, folder, ['--omit=dev', '--ignore-scripts']);
  await rename(join(folder, 'package-lock.json'), join(root, 'opt/installed.json'));
  await writeFile(join(root, 'bin/npm'), NPM, { mode: 0o755 });
  return root;
}

export function imageTag(name: ImageName): string {
  return `hermes-test:${name}`;
}

/** The image's archive file, packed by the first who asks. */
export async function imageArchive(context: ServiceContext, name: ImageName): Promise<string> {
  const { key, folder } = await contents[name](context);
  const archive = join(context.cacheDir, 'images', `${name}-${keyOf(key, 2)}.tar`);
  if (await exists(archive)) return archive;
  return withLock(`${archive}.lock`, context.signal, async () => {
    if (await exists(archive)) return archive;
    const scratch = join(context.dir, `pack-${name}`);
    await mkdir(scratch);
    const files = await pack(await folder(), scratch, imageTag(name));
    await runCommand(['tar', '-C', scratch, '-cf', `${archive}.part`, ...files], { timeoutMs: 120_000 });
    await rename(`${archive}.part`, archive);
    await rm(scratch, { recursive: true });
    return archive;
  });
}

/** Writes the files of a one-layer image into `scratch` and returns their names. */
async function pack(folder: string, scratch: string, tag: string): Promise<string[]> {
  const layer = join(scratch, 'layer.tar');
  const tar = ['tar', '-C', folder, '--numeric-owner', '--exclude=./dev/*', '-cf', layer, '.'] as const;
  await runCommand(tar, { timeoutMs: 120_000 });
  const hash = createHash('sha256');
  await pipeline(createReadStream(layer), hash);
  const config = JSON.stringify({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'], Cmd: ['/bin/sh'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${hash.digest('hex')}`] },
  });
  const configName = `${createHash('sha256').update(config).digest('hex')}.json`;
  await writeFile(join(scratch, configName), config);
  const manifest = [{ Config: configName, RepoTags: [tag], Layers: ['layer.tar'] }];
  await writeFile(join(scratch, 'manifest.json'), JSON.stringify(manifest));
  return ['manifest.json', configName, 'layer.tar'];
}

async function busyboxContent(
  context: ServiceContext,
  shell: 'with bash' | 'without bash',
): Promise<Content> {
  const busybox = join(await unpackedPackage(context, 'busybox-static'), 'bin/busybox');
  // Debian's statically linked bash: it needs no library in the image.
  const bash =
    shell === 'with bash'
      ? join(await unpackedPackage(context, 'bash-static'), 'bin/bash-static')
      : undefined;
  const digests = await Promise.all(
    [busybox, bash].map(async file => file && keyOf(await readFile(file, 'base64'))),
  );
  return { key: keyOf(digests, process.arch), folder: () => busyboxRoot(context, busybox, bash) };
}

async function busyboxRoot(context: ServiceContext, busybox: string, bash?: string): Promise<string> {
  // One of its own: other images, and a machine, may be made in the same folder of a service.
  const root = await mkdtemp(join(context.dir, 'image-'));
  await chmod(root, 0o755);
  for (const folder of ['bin', 'etc', 'root', 'proc', 'sys', 'dev', 'usr', 'var', 'home/hermes']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const folder of ['tmp', 'var/tmp']) {
    await mkdir(join(root, folder));
    await chmod(join(root, folder), 0o1777);
  }
  await symlink('../bin', join(root, 'usr/bin'));
  await copyFile(busybox, join(root, 'bin/busybox'));
  for (const applet of (await runCommand([busybox, '--list'])).stdout.split('\n')) {
    if (applet && applet !== 'busybox') await symlink('busybox', join(root, 'bin', applet));
  }
  if (bash) await copyFile(bash, join(root, 'bin/bash'));
  await writeFile(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nhermes:x:1000:1000::/home/hermes:/bin/sh\n',
  );
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nhermes:x:1000:\n');
  return root;
}
