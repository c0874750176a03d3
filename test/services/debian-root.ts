// Debian root file systems without a registry: made by mmdebstrap from this machine's own package source, kept between runs.
import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf, debianMirror } from './apt.ts';
import { exists, runCommand } from './command.ts';
import { withLock } from './lock.ts';
import { NotAvailable, type ServiceContext } from './service.ts';

export interface RootRecipe {
  readonly name: string;
  readonly suite: string;
  /** In addition to the essential packages, which include bash and coreutils. */
  readonly packages: readonly string[];
  /** Not installed: they lie in a folder of the root, for an apt of its own. */
  readonly stored?: readonly string[];
}

/** Where a root has packages that are not installed. */
const packageFolder = '/srv/packages';

/** What containers and the bare machine are made of: small, with Python and bubblewrap. */
export const bookwormRecipe: RootRecipe = {
  name: 'bookworm',
  suite: 'bookworm',
  packages: ['python3-minimal', 'procps', 'mount', 'bubblewrap'],
};

/** Nothing but the essential packages, mount and apt; what bubblewrap needs can be installed without a network. */
export const freshRecipe: RootRecipe = {
  name: 'fresh',
  suite: 'bookworm',
  packages: ['apt', 'mount'],
  stored: ['bubblewrap', 'libcap2', 'libselinux1'],
};

/** What `debian:bookworm-slim` is, as far as an image is made of it; what would be fetched is there already. */
export const slimRecipe: RootRecipe = {
  name: 'slim',
  suite: 'bookworm',
  packages: ['apt', 'passwd', 'openssh-client'],
};

/** The ordinary user that every root has. */
export const ordinaryUser = { name: 'hermes', uid: 1000, home: '/home/hermes' } as const;

const addUser = [
  `echo '${ordinaryUser.name}:x:1000:1000::${ordinaryUser.home}:/bin/bash' >>"$1/etc/passwd"`,
  `echo '${ordinaryUser.name}:x:1000:' >>"$1/etc/group"`,
  `mkdir -p "$1${ordinaryUser.home}"`,
  `chown 1000:1000 "$1${ordinaryUser.home}"`,
  `echo '127.0.0.1 localhost' >"$1/etc/hosts"`,
].join(' && ');

const options = [
  '--mode=root',
  '--variant=essential',
  '--format=directory',
  // A mirror that is a copy of an earlier day is as good.
  '--aptopt=Acquire::Check-Valid-Until "false"',
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
  `--customize-hook=${addUser}`,
];

/** A package source in a folder: the packages, and an index that apt reads. */
function storing(names: readonly string[]): string {
  return [
    `mkdir -p "$1${packageFolder}"`,
    `cd "$1${packageFolder}"`,
    `APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get download ${names.join(' ')}`,
    'for deb in *.deb; do dpkg-deb -f "$deb"; echo "Filename: ./$deb"; echo "Size: $(stat -c %s "$deb")"; echo "SHA256: $(sha256sum "$deb" | cut -d" " -f1)"; echo; done >Packages',
    `rm -f "$1"/etc/apt/sources.list.d/*`,
    `echo 'deb [trusted=yes] file:${packageFolder} ./' >"$1/etc/apt/sources.list"`,
    'chmod -R a+rX .',
  ].join(' && ');
}

export function keyOf(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** Identifies the root that a recipe gives. */
export function rootKey(recipe: RootRecipe): string {
  return keyOf(recipe, options, process.arch);
}

/** The folder with the recipe's root, built by the first who asks. Not to be written to. */
export async function debianRoot(context: ServiceContext, recipe: RootRecipe): Promise<string> {
  const roots = join(context.cacheDir, 'roots');
  const folder = join(roots, `${recipe.name}-${rootKey(recipe)}`);
  await mkdir(roots, { recursive: true });
  if (await exists(folder)) return folder;
  if (process.getuid?.() !== 0) throw new NotAvailable('only root can make a Debian root file system');
  return withLock(`${folder}.lock`, context.signal, async () => {
    if (await exists(folder)) return folder;
    const { mmdebstrap } = await commandsOf(context, { mmdebstrap: 'mmdebstrap' });
    const mirror = await debianMirror(context);
    context.say(`making a Debian ${recipe.suite} root with ${recipe.packages.join(' ')}`);
    const part = `${folder}.part`;
    await rm(part, { recursive: true, force: true });
    const include = `--include=${recipe.packages.join(',')}`;
    const store = recipe.stored ? [`--customize-hook=${storing(recipe.stored)}`] : [];
    try {
      await runCommand([mmdebstrap, ...options, ...store, include, recipe.suite, part, mirror], {
        timeoutMs: 400_000,
        signal: context.signal,
        env: { TMPDIR: context.dir },
      });
    } catch (error) {
      context.signal.throwIfAborted();
      throw new NotAvailable(`no Debian ${recipe.suite} could be made: ${String(error)}`, { cause: error });
    }
    await rename(part, folder);
    return folder;
  });
}
