// Debian packages for the services: installs programs that are missing, or unpacks a package without installing it.
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed, exists, findCommand, isErrno, runCommand } from './command.ts';
import { withLock } from './lock.ts';
import { NotAvailable, type ServiceContext } from './service.ts';

const aptTimeoutMs = 400_000;
const policyFile = '/usr/sbin/policy-rc.d';
const savedPolicyFile = `${policyFile}.hermes-test-saved`;
const ourPolicy =
  '#!/bin/sh\n# Hermes tests: packages start no daemons while they are being installed.\nexit 101\n';

/** Paths of the named programs; those not on the path are installed from the package given for each. */
export async function commandsOf<Name extends string>(
  context: ServiceContext,
  packageOf: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  let { found, missing } = await look(packageOf);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(name => packageOf[name]))];
    await installPackages(context, packages);
    ({ found, missing } = await look(packageOf));
  }
  if (missing.length > 0)
    throw new NotAvailable(`${missing.join(', ')} not found after installing the packages`);
  // Every name was found, so the record is complete.
  return found as Record<Name, string>;
}

async function look<Name extends string>(packageOf: Readonly<Record<Name, string>>) {
  const found: Partial<Record<Name, string>> = {};
  const missing: Name[] = [];
  // Object.keys forgets the key type.
  for (const name of Object.keys(packageOf) as Name[]) {
    const path = await findCommand(name);
    if (path) found[name] = path;
    else missing.push(name);
  }
  return { found, missing };
}

async function requireApt(): Promise<void> {
  if (!(await findCommand('apt-get'))) throw new NotAvailable('this machine has no apt-get');
}

/** Installs Debian packages; their daemons are not started. Throws `NotAvailable` where that is not possible. */
export async function installPackages(context: ServiceContext, packages: readonly string[]): Promise<void> {
  const wish = `please install ${packages.join(' ')}`;
  if (!(await findCommand('apt-get'))) throw new NotAvailable(`${wish}; there is no apt-get to do it`);
  if (process.getuid?.() !== 0) throw new NotAvailable(`${wish}; only root can`);
  await withLock(join(context.cacheDir, 'apt.lock'), context.signal, async () => {
    context.say(`installing Debian packages: ${packages.join(' ')}`);
    const flags = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
    await withoutDaemons(() => apt(context, ['install', ...flags, ...packages]));
  });
}

/** Runs apt-get; refreshes the package lists only when there are none or the command fails with the ones there. */
async function apt(context: ServiceContext, args: readonly string[], cwd?: string): Promise<void> {
  // Not abortable: an interrupted dpkg leaves the machine's package state broken.
  const options = {
    timeoutMs: aptTimeoutMs,
    env: { DEBIAN_FRONTEND: 'noninteractive', TMPDIR: '/tmp' },
    ...(cwd ? { cwd } : {}),
  };
  if (await hasPackageLists()) {
    try {
      await runCommand(['apt-get', '-q', ...args], options);
      return;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
    }
  }
  context.say('refreshing the Debian package lists');
  try {
    await runCommand(['apt-get', '-q', 'update'], options);
    await runCommand(['apt-get', '-q', ...args], options);
  } catch (error) {
    throw new NotAvailable(`apt-get could not do it: ${String(error)}`, { cause: error });
  }
}

async function hasPackageLists(): Promise<boolean> {
  const lists = await readdir('/var/lib/apt/lists');
  return lists.some(name => name.includes('_Packages'));
}

/** Keeps package scripts from starting system daemons, then restores the machine's own policy. */
async function withoutDaemons(work: () => Promise<void>): Promise<void> {
  const before = await readFileIfAny(policyFile);
  // One with our text was left by a killed run; the machine's own, if it had one, is then already put aside.
  if (before !== undefined && before !== ourPolicy) await rename(policyFile, savedPolicyFile);
  await writeFile(policyFile, ourPolicy, { mode: 0o755 });
  try {
    await work();
  } finally {
    const saved = await readFileIfAny(savedPolicyFile);
    if (saved === undefined) await rm(policyFile, { force: true });
    else await rename(savedPolicyFile, policyFile);
  }
}

async function readFileIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A folder with a package's files, downloaded and unpacked but not installed. Kept between runs. */
export async function unpackedPackage(context: ServiceContext, name: string): Promise<string> {
  const folder = join(context.cacheDir, 'packages', name);
  await mkdir(join(context.cacheDir, 'packages'), { recursive: true });
  if (await exists(folder)) return folder;
  return withLock(join(context.cacheDir, 'apt.lock'), context.signal, async () => {
    if (await exists(folder)) return folder;
    await requireApt();
    context.say(`unpacking Debian package ${name}`);
    const scratch = await mkdtemp(join(context.dir, 'package-'));
    await chmod(scratch, 0o777);
    await apt(context, ['download', name], scratch);
    const archive = (await readdir(scratch)).find(file => file.endsWith('.deb'));
    if (!archive) throw new Error(`apt-get download ${name} left no package`);
    const part = `${folder}.part`;
    await rm(part, { recursive: true, force: true });
    await runCommand(['dpkg-deb', '-x', join(scratch, archive), part]);
    await rename(part, folder);
    return folder;
  });
}

/** Where this machine gets Debian itself from, as its own configuration says. */
export async function debianMirror(context: ServiceContext): Promise<string> {
  await requireApt();
  const ask = () =>
    runCommand([
      'apt-get',
      'indextargets',
      '--format',
      '$(REPO_URI)',
      'Created-By: Packages',
      'Label: Debian',
    ]);
  let uri = (await ask()).stdout.split('\n')[0];
  if (!uri) {
    await withLock(join(context.cacheDir, 'apt.lock'), context.signal, async () => {
      context.say('refreshing the Debian package lists');
      await runCommand(['apt-get', '-q', 'update'], { timeoutMs: aptTimeoutMs });
    });
    uri = (await ask()).stdout.split('\n')[0];
  }
  if (!uri) throw new NotAvailable('no package source of this machine is Debian');
  return uri;
}
