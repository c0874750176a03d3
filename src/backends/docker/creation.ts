// Makes a container in phases, each with a time limit of its own. Whatever fails, nothing of it is left.

import type { Abortable } from '../../base/abortable.ts';
import { HermesError } from '../../base/errors.ts';
import type { DriverContext, SandboxSpec } from '../backend.ts';
import type { Info } from './answers.ts';
import { type ContainerPlan, containerBody, tmpMiBOf, withoutMounted } from './container-body.ts';
import { type Engine, EngineFault, EngineUnreachable, isFault } from './engine.ts';
import { NotStarted, startExec } from './exec-process.ts';
import { makeFolders, readContainerFile } from './folders.ts';
import { checkMounts, engineIsElsewhere, seesOurFiles } from './host-mounts.ts';
import { findImage, type Image, pullImage } from './image.ts';
import { explainUser, probeMounts } from './ownership.ts';
import { LIMIT_MS, Phases } from './phases.ts';
import { type DockerSettings, isRootless, limitsOf, networkOf, userOf, workdirOf } from './plan.ts';
import { removeOwn, stateOf } from './sandbox.ts';
import { seccompProfileFor } from './seccomp.ts';
import { canWriteHost, isHostRoot } from './set-id.ts';
import { type Account, accountOf } from './user.ts';
import type { CheckedMount } from './volumes.ts';

/** What outlives a creation: what was learnt about the engine. */
export interface Workshop {
  readonly engine: Engine;
  readonly settings: DockerSettings;
  readonly context: DriverContext;
  readonly info: () => Promise<Info>;
  /** Whether this engine enforces a disk limit; undefined until it was tried. */
  hasQuota: boolean | undefined;
  /** The users that an image knows, by the image's id. */
  readonly passwd: Map<string, { passwd: string; group: string }>;
}

export interface Created {
  readonly workdir: string;
  readonly hasQuota: boolean;
  readonly tmpMiB: number | undefined;
}

export async function createContainer(
  shop: Workshop,
  name: string,
  { spec, signal }: { spec: SandboxSpec } & Abortable,
): Promise<Created> {
  const image = spec.image ?? shop.settings.get('terminal.docker_image');
  const isElsewhere = await engineIsElsewhere(shop.engine);
  const phases = new Phases(shop.context.clock, { name, image, isElsewhere }, signal);
  // What we do not see, Podman would make as an empty folder; and what we see must turn out to be the same inside.
  const { isPodman } = await shop.engine.connect();
  const mounts = await checkMounts(shop, spec.mounts, { mayBeElsewhere: isElsewhere && !isPodman });
  // The engine finds folders by their path, and follows a link that has taken the place of one.
  const isOurs = seesOurFiles(await shop.info(), shop.settings.get('terminal.docker_runtime'));
  const isStrict = isPodman || (isOurs && !isElsewhere);
  const found = await phases.run('pull', inside => ensureImage(shop, image, inside));
  const { plan, isRoot, ownerOf } = await planOf(shop, { spec, mounts, image, found });
  if (ownerOf !== undefined) shop.context.progress(explainUser(plan.user, ownerOf));
  try {
    const hasQuota = await phases.run('create', () => postContainer(shop, name, plan));
    await phases.run('create', async inside => {
      const account = await accountIn(shop, {
        name,
        imageId: found.Id,
        user: plan.user || (found.Config?.User ?? ''),
      });
      await makeFolders(shop.engine, name, {
        account,
        workdir: plan.workdir,
        mounted: mounts.map(({ target }) => target),
        modified: Math.floor(shop.context.clock.now() / 1000),
        signal: inside,
      });
    });
    await phases.run('start', inside =>
      shop.engine.json({ method: 'POST', path: `/containers/${name}/start`, signal: inside }),
    );
    await phases.run('ready', inside => isReady(shop, name, { found, signal: inside }));
    await phases.run('ready', inside =>
      probeMounts(shop, name, { mounts, user: plan.user, isHostRoot: isRoot, isStrict, signal: inside }),
    );
    return { workdir: plan.workdir, hasQuota, tmpMiB: tmpMiBOf(withoutMounted(plan.mounts)) };
  } catch (error) {
    await removeRest(shop.engine, { ...spec, name });
    throw error;
  }
}

async function ensureImage(
  { engine, context }: Workshop,
  image: string,
  signal: AbortSignal,
): Promise<Image> {
  const found = await findImage(engine, image, signal);
  if (found) return found;
  const { clock, progress } = context;
  await pullImage(engine, image, { clock, progress, signal, timeoutMs: LIMIT_MS.pull });
  const pulled = await findImage(engine, image, signal);
  if (pulled) return pulled;
  throw new EngineFault(404, `the image ${image} is not there after its pull`);
}

async function planOf(
  { settings, context, info }: Workshop,
  given: { spec: SandboxSpec; mounts: readonly CheckedMount[]; image: string; found: Image },
): Promise<{ plan: ContainerPlan; isRoot: boolean; ownerOf?: CheckedMount }> {
  const { spec, mounts, image, found } = given;
  const runtime = settings.get('terminal.docker_runtime');
  const engine = await info();
  const extraCaps = settings.get('terminal.docker_extra_caps');
  const seccomp = seccompProfileFor(engine, { extraCaps, refusesSetId: canWriteHost(mounts) });
  const { user, ...choice } = userOf({
    configured: settings.get('terminal.docker_user'),
    mounts,
    ofImage: found.Config?.User ?? '',
    rootless: isRootless(engine) ? process.getuid?.() : undefined,
  });
  const plan: ContainerPlan = {
    spec,
    image,
    workdir: workdirOf(spec, settings),
    user,
    network: networkOf(spec.network, settings.get('terminal.docker_network')),
    ...limitsOf(spec.limits, settings, engine),
    mounts: mounts.map(({ source, target, readOnly }) => ({ source, target, readOnly })),
    extraCaps,
    ...(seccomp === undefined ? {} : { seccomp }),
    ...(runtime === undefined ? {} : { runtime }),
    created: new Date(context.clock.now()).toISOString(),
  };
  return { plan, isRoot: isHostRoot(user || (found.Config?.User ?? ''), engine), ...choice };
}

/** Tells whether the disk limit is enforced. An engine that cannot says so by refusing: then it goes without, from then on. */
async function postContainer(shop: Workshop, name: string, plan: ContainerPlan): Promise<boolean> {
  // Not given the signal: an engine goes on making what nobody waits for, and then it could not be found.
  const post = (body: unknown) =>
    shop.engine.json({
      method: 'POST',
      path: `/containers/create?name=${name}`,
      json: body,
      timeoutMs: LIMIT_MS.create,
    });
  const { diskMiB, ...withoutQuota } = plan;
  if (!diskMiB || shop.hasQuota === false) {
    await post(containerBody(withoutQuota));
    return false;
  }
  try {
    await post(containerBody(plan));
    shop.hasQuota = true;
    return true;
  } catch (error) {
    if (shop.hasQuota || !(error instanceof EngineFault) || isFault(error, 404, 409)) throw error;
    await post(containerBody(withoutQuota));
    shop.hasQuota = false;
    return false;
  }
}

/** Numbers and home of the user, from the image's own files; those are read once for each image. */
async function accountIn(
  { engine, passwd: known }: Workshop,
  { name, imageId, user }: { name: string; imageId: string; user: string },
): Promise<Account> {
  if (['', '0', 'root', '0:0', 'root:root'].includes(user)) return { uid: 0, gid: 0, home: '/root' };
  let files = known.get(imageId);
  if (!files) {
    const [passwd, group] = await Promise.all([
      readContainerFile(engine, name, '/etc/passwd'),
      readContainerFile(engine, name, '/etc/group'),
    ]);
    files = { passwd, group };
    known.set(imageId, files);
  }
  const account = accountOf(user, files.passwd, files.group);
  if (account) return account;
  throw new EngineFault(400, `unable to find user ${user}: no matching entries in passwd file`);
}

/** Under an emulator that is not there, a program of another architecture ends at once. */
async function isReady(
  shop: Workshop,
  name: string,
  { found, signal }: { found: Image; signal: AbortSignal },
): Promise<void> {
  const { Architecture: host } = await shop.info();
  // Its init is there for a moment before it finds out; a program that runs in it tells for certain.
  const canRun = !isForeign(found.Architecture, host) || (await runsPrograms(shop, name, signal));
  const state = await stateOf(shop.engine, name, signal);
  if (canRun && state?.Running) return;
  throw new EngineFault(500, whyEnded(state?.ExitCode, found.Architecture, host));
}

async function runsPrograms(
  { engine, context: { clock } }: Workshop,
  container: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const argv = ['/bin/sh', '-c', ':'];
    const process = await startExec({ engine, clock, container, argv, workdir: '/', signal });
    process.end();
    const exit = await process.exit;
    return 'code' in exit && exit.code === 0;
  } catch (error) {
    if (error instanceof NotStarted || error instanceof EngineFault) return false;
    throw error;
  }
}

/** The init tells a program that is not there by 127; what it cannot run at all is most often for another processor. */
function whyEnded(exitCode: number | undefined, image: string | undefined, engine: string): string {
  if (isForeign(image, engine)) return `exec format error: the image is ${image}, the engine ${engine}`;
  if (exitCode === undefined || exitCode === 127) return 'it ended at once; "sleep" not found';
  return `it ended at once with exit code ${exitCode}, as after an exec format error`;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', armv7l: 'arm' };

function isForeign(image: string | undefined, host: string): boolean {
  return image !== undefined && image !== (ARCHITECTURES[host] ?? host);
}

async function removeRest(engine: Engine, made: Parameters<typeof removeOwn>[1]): Promise<void> {
  try {
    await removeOwn(engine, made);
  } catch (error) {
    // An engine that does not answer any more is the reason why nothing could be made; `list` finds the rest later.
    if (!(error instanceof HermesError && error.cause instanceof EngineUnreachable)) throw error;
  }
}
