// The modal backend: each sandbox is a machine of its own in Modal's cloud, reached through the SDK of that service.
import type { Sandbox as Remote } from 'modal';
import { HermesError } from '../../base/errors.ts';
import type { Backend, DriverContext, SandboxRef, SandboxSpec } from '../backend.ts';
import { Cloud, type LoadSdk } from './cloud.ts';
import { Maker } from './creation.ts';
import { facts } from './facts.ts';
import { ENFORCEMENT, type ModalSettings, type Plan, planOf, type Tags } from './plan.ts';
import { prepare } from './preparation.ts';
import { isNotFound } from './reasons.ts';
import { destroyAll, keptOf, liveOf, modalSandbox, restore, type Workshop } from './sandbox.ts';
import { Snapshots } from './snapshots.ts';
import { installationTag, nameOf, readTags, refOf, type Tagged } from './tags.ts';

/** A gateway that starts waits for it. */
const CHECK_MS = 20_000;
/** Of a sandbox of which nothing else is known. */
const EMPTY = { limits: {}, mounts: [], env: {}, persistent: true } as const;

export function createBackend(settings: ModalSettings, context: DriverContext, load?: LoadSdk): Backend {
  const { clock, home } = context;
  const cloud = new Cloud(settings, clock, load);
  const maker = new Maker(cloud, context);
  const shop: Workshop = { cloud, clock, maker, snapshots: new Snapshots(home, clock) };
  return {
    name: 'modal',
    capabilities: facts.capabilities,
    async check({ signal } = {}) {
      try {
        await cloud.answer(cloud.appHandle(), { ms: CHECK_MS, signal });
        return [];
      } catch (error) {
        const { message, fix } = error instanceof HermesError ? error.details : cloud.reasonOf(error);
        return [{ message: String(message), fix: String(fix) }];
      }
    },
    version: async () => `SDK ${(await cloud.client()).version()}`,
    inspect: async () => ({ programs: [], limits: ENFORCEMENT }),
    async create(spec, { signal } = {}) {
      const ref = acceptedRef(spec);
      const plan = planOf(spec, settings);
      const live = liveOf(shop, ref, plan, await maker.make({ ref, plan, signal }));
      await prepare(shop, { ref, plan, live, signal });
      return modalSandbox(shop, { ref, plan, env: spec.env, live });
    },
    async attach(ref, { signal, env = {} } = {}) {
      const found = await maker.find(ref, signal);
      const own = { ...ref, name: nameOf(ref) };
      const unknown = planOf({ ...EMPTY, ...ref, network: 'none' }, settings);
      const plan = found ? foundPlan(found, settings) : (await keptOf(shop, ref, unknown)).plan;
      const remote = found?.remote ?? (await restore(shop, ref, { plan: unknown, signal }));
      return modalSandbox(shop, { ref: own, plan, env, live: liveOf(shop, own, plan, remote) });
    },
    list: (installation, { signal } = {}) => list(shop, installation, signal),
    destroy: ref => destroyAll(shop, ref),
    close: async () => cloud.close(),
  };
}

/** What this backend cannot do it refuses, rather than to do less than was asked. */
function acceptedRef(spec: SandboxSpec): SandboxRef {
  const ref = refOf(spec);
  const reason =
    spec.mounts.length > 0
      ? 'folders were to be mounted, which a cloud cannot do. Upload the files instead'
      : `its id ${spec.id} cannot stand in a name`;
  if (ref !== undefined && spec.mounts.length === 0) return ref;
  throw new HermesError('SANDBOX_NOT_CREATED', `The sandbox ${spec.id} was not made: ${reason}.`, {
    details: { id: spec.id },
  });
}

/** As it was made; image and regions may be those of the settings now. */
function foundPlan({ workdir, shape }: Tagged, settings: ModalSettings): Plan {
  const image = settings.get('terminal.modal_image');
  return { ...shape, workdir, image, regions: [...settings.get('terminal.modal_region')] };
}

/** Those that run, by their tag, and those that are suspended, by their snapshots. */
async function* list(
  { cloud, snapshots }: Workshop,
  installation: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SandboxRef> {
  const seen = new Set<string>();
  try {
    const { appId } = await cloud.appHandle();
    const { sandboxes } = await cloud.client();
    const running = sandboxes.list({ appId, tags: installationTag(installation) });
    const next = () => cloud.answer(running.next(), { signal });
    for (let found = await next(); !found.done; found = await next()) {
      const tagged = readTags(await tagsOfRemote(cloud, found.value, signal));
      if (tagged?.ref.installation !== installation || seen.has(tagged.ref.id)) continue;
      seen.add(tagged.ref.id);
      yield tagged.ref;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw cloud.unavailable(error);
  }
  for (const [id, record] of await snapshots.list()) {
    if (record.installation !== installation || seen.has(id)) continue;
    const ref = refOf({ id, installation, ...(record.session ? { session: record.session } : {}) });
    if (ref) yield ref;
  }
}

/** None of one that has ended since it was listed. */
async function tagsOfRemote(cloud: Cloud, remote: Remote, signal: AbortSignal | undefined): Promise<Tags> {
  try {
    return await cloud.answer(remote.getTags(), { signal });
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}
