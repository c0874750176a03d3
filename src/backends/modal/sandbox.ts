// One sandbox of the modal backend. Suspended it is a snapshot and nothing that runs; resumed, another run made of that.

import type { Sandbox as Remote } from 'modal';
import type { Clock } from '../../base/clock.ts';
import type { Sandbox, SandboxRef } from '../backend.ts';
import { type Cloud, gone } from './cloud.ts';
import { type Maker, SnapshotGone, snapshotLost } from './creation.ts';
import { facts } from './facts.ts';
import { Live } from './live.ts';
import { CHANNEL_FOLDER, ENFORCEMENT, type Plan } from './plan.ts';
import { isNotFound } from './reasons.ts';
import { isSnapshotName, type SnapshotRecord, type Snapshots } from './snapshots.ts';
import { nameOf } from './tags.ts';

export interface Workshop {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly maker: Maker;
  readonly snapshots: Snapshots;
}

export interface SandboxParts {
  readonly ref: SandboxRef;
  readonly plan: Plan;
  readonly env: Readonly<Record<string, string>>;
  readonly live: Live;
}

/** A suspension that takes longer is given up. */
const SNAPSHOT_MS = 110_000;
/** Snapshots of an installation that is no more go by themselves. */
const SNAPSHOT_LIFE_MS = 30 * 86_400_000;

export function liveOf({ cloud, clock }: Workshop, ref: SandboxRef, plan: Plan, remote: Remote): Live {
  return new Live({ cloud, clock, ref, remote, workdir: plan.workdir, idleSeconds: plan.idleSeconds });
}

export function modalSandbox(shop: Workshop, { ref, plan, env, live: first }: SandboxParts): Sandbox {
  const { workdir } = plan;
  let live: Live | undefined = first;
  let kept: string | undefined;
  const running = (): Live => {
    if (live) return live;
    throw gone(ref, 'is suspended; nothing runs in it');
  };
  const snapshot = async () => takeSnapshot(shop, running().remote);
  return {
    get ref() {
      return kept === undefined ? ref : { ...ref, name: kept };
    },
    workdir,
    env,
    enforcement: ENFORCEMENT,
    ownProcesses: facts.capabilities.ownProcesses,
    channelDir: CHANNEL_FOLDER,
    spawn: async (argv, options = {}) => running().spawn(argv, options),
    snapshot,
    async suspend() {
      const was = running();
      const image = await snapshot();
      await keepSnapshot(shop, { ref, plan, image });
      was.release('was suspended');
      live = undefined;
      kept = image;
      await endRemote(shop, was.remote);
      // What cannot be deleted now is, with the next one or with the sandbox itself.
      await Promise.allSettled([deleteStale(shop, ref.id)]);
    },
    async resume({ signal } = {}) {
      live ??= liveOf(shop, ref, plan, await restore(shop, ref, { plan, signal }));
      kept = undefined;
    },
    async destroy() {
      live?.release('was destroyed');
      await destroyAll(shop, ref, live?.remote);
    },
  };
}

export interface Kept {
  readonly snapshot: string;
  readonly plan: Plan;
  /** Unknown where only the ledger knows of it. */
  readonly takenAt?: number;
}

/**
 * What is kept of a suspended one: by the file, else by the name that the ledger has for it, then with what `unknown` says
 * of it. Throws SANDBOX_GONE when there is nothing, or a newer state of it is lost.
 */
export async function keptOf({ snapshots }: Workshop, ref: SandboxRef, unknown: Plan): Promise<Kept> {
  const record = await snapshots.find(ref.id);
  if (record === undefined && isSnapshotName(ref.name)) return { snapshot: ref.name, plan: unknown };
  if (record === undefined || record.installation !== ref.installation) {
    throw gone(ref, 'does not exist at Modal any more');
  }
  if (!record.isResumed) return record;
  throw gone(ref, 'has ended at Modal since it was resumed; what it had is lost');
}

export interface Restoring {
  /** Taken where nothing else is known. */
  readonly plan: Plan;
  readonly signal?: AbortSignal | undefined;
}

/** Makes it anew from its snapshot. Throws SANDBOX_GONE; whatever it throws, nothing runs of it. */
export async function restore(
  shop: Workshop,
  suspended: SandboxRef,
  { plan: unknown, signal }: Restoring,
): Promise<Remote> {
  const { snapshot, plan, takenAt } = await keptOf(shop, suspended, unknown);
  const ref = { ...suspended, name: nameOf(suspended) };
  let remote: Remote | undefined;
  try {
    remote = await shop.maker.make({ ref, plan, snapshot, signal });
    await shop.snapshots.change(ref.id, now => now && { ...now, isResumed: true });
    return remote;
  } catch (error) {
    if (remote) await Promise.allSettled([endRemote(shop, remote)]);
    if (!(error instanceof SnapshotGone)) throw error;
    await forget(shop, ref.id);
    throw snapshotLost(ref, takenAt);
  }
}

/** As long as it names something that could not be deleted, it is kept until the sandbox is destroyed. */
async function forget(shop: Workshop, id: string): Promise<void> {
  await Promise.allSettled([deleteStale(shop, id)]);
  await shop.snapshots.change(id, now => (now && now.stale.length > 0 ? now : undefined));
}

async function takeSnapshot({ cloud }: Workshop, remote: Remote): Promise<string> {
  try {
    const image = await remote.snapshotFilesystem({ timeoutMs: SNAPSHOT_MS, ttlMs: SNAPSHOT_LIFE_MS });
    return image.imageId;
  } catch (error) {
    throw cloud.unavailable(error);
  }
}

interface Keeping {
  readonly ref: SandboxRef;
  readonly plan: Plan;
  readonly image: string;
}

/** Written down before anything is ended; the one before is deleted when the new one is sure. */
async function keepSnapshot(shop: Workshop, { ref, plan, image }: Keeping): Promise<void> {
  const { installation, session } = ref;
  const next = (now: SnapshotRecord | undefined): SnapshotRecord => ({
    ...{ installation, ...(session === undefined ? {} : { session }), plan: { ...plan } },
    ...{ snapshot: image, takenAt: shop.clock.now(), isResumed: false },
    stale: now ? [...now.stale, now.snapshot] : [],
  });
  try {
    await shop.snapshots.change(ref.id, next);
  } catch (error) {
    // Nobody would ever find it.
    await Promise.allSettled([shop.maker.deleteImage(image)]);
    throw error;
  }
}

async function deleteStale({ snapshots, maker }: Workshop, id: string): Promise<void> {
  const stale = (await snapshots.find(id))?.stale ?? [];
  for (const image of stale) await maker.deleteImage(image);
  if (stale.length === 0) return;
  await snapshots.change(
    id,
    now => now && { ...now, stale: now.stale.filter(image => !stale.includes(image)) },
  );
}

/** What runs, and what is kept: afterwards nothing of it is billed. */
export async function destroyAll(shop: Workshop, ref: SandboxRef, known?: Remote | undefined): Promise<void> {
  if (known) await endRemote(shop, known);
  // Another gateway may have suspended and resumed it since.
  const found = await shop.maker.find(ref);
  if (found) await endRemote(shop, found.remote);
  const record = await shop.snapshots.find(ref.id);
  if (record === undefined && isSnapshotName(ref.name)) return shop.maker.deleteImage(ref.name);
  if (record === undefined || record.installation !== ref.installation) return;
  for (const image of [record.snapshot, ...record.stale]) await shop.maker.deleteImage(image);
  await shop.snapshots.change(ref.id, () => undefined);
}

/** Resolves when it has ended; one that has ended before is as good. */
async function endRemote({ cloud }: Workshop, { sandboxId }: Remote): Promise<void> {
  const client = await cloud.client();
  const remote = await client.sandboxes.fromId(sandboxId);
  try {
    await cloud.answer(remote.terminate({ wait: true }));
  } catch (error) {
    if (!isNotFound(error) && cloud.reasonOf(error).name !== 'refused') throw cloud.unavailable(error);
  } finally {
    remote.detach();
  }
}
