// The docker backend: each sandbox is a hardened container, reached over the Engine API and never over the CLI.
import type { Clock } from '../../base/clock.ts';
import type { Backend, DriverContext, Sandbox, SandboxRef, SandboxSpec } from '../backend.ts';
import { additionsOf } from './additions.ts';
import { type Container, containerAnswer, type Info, infoAnswer, listAnswer } from './answers.ts';
import { checkEngine } from './check.ts';
import { LABEL, tmpMiBOf } from './container-body.ts';
import { createContainer, type Workshop } from './creation.ts';
import { Engine, EngineFault, EngineUnreachable, isFault } from './engine.ts';
import { facts } from './facts.ts';
import { gone, unreachable } from './faults.ts';
import { whereImage } from './image.ts';
import { inspectEngine } from './inspect.ts';
import { type DockerSettings, enforcementOf, WORKSPACE } from './plan.ts';
import { dockerSandbox, removeContainer, removeOwn } from './sandbox.ts';

const PREFIX = 'hermes-';
/** Longer than any creation that is not stuck takes from its first call to its start. */
const HALF_MADE_MS = 5 * 60_000;

export function createBackend(settings: DockerSettings, context: DriverContext): Backend {
  const engine = new Engine(context.environment, context.clock);
  const info = remembered(async () => infoAnswer.parse(await engine.json({ method: 'GET', path: '/info' })));
  const shop: Workshop = { engine, settings, context, info, hasQuota: undefined, passwd: new Map() };
  const open = async (
    ref: SandboxRef,
    parts: { workdir: string; env: SandboxSpec['env']; hasQuota: boolean; tmpMiB: number | undefined },
  ): Promise<Sandbox> =>
    dockerSandbox({
      engine,
      clock: context.clock,
      ref,
      workdir: parts.workdir,
      env: parts.env,
      enforcement: enforcementOf(await info(), parts.hasQuota, parts.tmpMiB),
    });
  return {
    name: 'docker',
    capabilities: facts.capabilities,
    check: (options = {}) =>
      checkEngine({ engine, image: settings.get('terminal.docker_image'), info }, options),
    findImage: (image, { signal } = {}) => orUnreachable(whereImage(engine, image, signal)),
    version: async () => (await orUnreachable(info())).ServerVersion || undefined,
    inspect: ({ signal } = {}) => orUnreachable(inspectEngine({ engine, info, settings }, signal)),
    additions() {
      const { unset, ...added } = additionsOf(settings, {
        ...context,
        userHome: context.environment['HOME'],
      });
      if (unset.length > 0) context.progress(notForwarded(unset));
      return added;
    },
    async create(spec, { signal } = {}) {
      const ref = refOf(spec);
      const made = await orUnreachable(
        createContainer(shop, ref.name, signal === undefined ? { spec } : { spec, signal }),
      );
      return open(ref, { ...made, env: spec.env });
    },
    async attach(ref, { signal, env = {} } = {}) {
      const found = await orUnreachable(find({ engine, clock: context.clock }, ref, signal));
      if (!found.State.Running) {
        await orUnreachable(startAgain(engine, ref, signal));
      }
      const workdir = found.Config.Labels?.[LABEL.workdir] ?? WORKSPACE;
      const { StorageOpt, Tmpfs } = found.HostConfig;
      const hasQuota = StorageOpt?.['size'] !== undefined;
      return open(ref, { workdir, env, hasQuota, tmpMiB: tmpMiBOf(Tmpfs ?? {}) });
    },
    async *list(installation, { signal } = {}) {
      const filters = JSON.stringify({ label: [`${LABEL.installation}=${installation}`] });
      const path = `/containers/json?${new URLSearchParams({ all: 'true', filters })}`;
      const answer = await orUnreachable(engine.json({ method: 'GET', path, signal }));
      for (const { Labels } of listAnswer.parse(answer)) {
        const id = Labels?.[LABEL.sandbox];
        if (id === undefined) continue;
        const session = Labels?.[LABEL.session];
        yield refOf({ id, installation, ...(session === undefined ? {} : { session }) });
      }
    },
    destroy: (ref, { signal } = {}) => orUnreachable(removeOwn(engine, ref, signal)),
    close: async () => engine.close(),
  };
}

function notForwarded(names: readonly string[]): string {
  return `Not forwarded, because neither the environment nor .env has a value: ${names.join(', ')} (terminal.docker_forward_env).`;
}

function refOf({
  id,
  installation,
  session,
}: Pick<SandboxSpec, 'id' | 'installation' | 'session'>): SandboxRef {
  return {
    backend: 'docker',
    id,
    name: `${PREFIX}${id}`,
    installation,
    ...(session === undefined ? {} : { session }),
  };
}

/** Throws SANDBOX_GONE also for a container of that name that is not this sandbox, or was only half made. */
async function find(
  { engine, clock }: { engine: Engine; clock: Clock },
  ref: SandboxRef,
  signal: AbortSignal | undefined,
): Promise<Container> {
  try {
    const path = `/containers/${ref.name}/json`;
    const found = containerAnswer.parse(await engine.json({ method: 'GET', path, signal }));
    const labels = found.Config.Labels ?? {};
    const isIt = labels[LABEL.sandbox] === ref.id && labels[LABEL.installation] === ref.installation;
    if (!isIt) throw gone(ref, 'is not this sandbox any more');
    const status = found.State.Status ?? '';
    if (!['created', 'removing', 'dead'].includes(status)) return found;
    // Its making was cut off, or is still under way; only what is too old for that is cleared away.
    const ageMs = clock.now() - Date.parse(labels[LABEL.created] ?? '');
    if (status !== 'removing' && !(ageMs < HALF_MADE_MS)) await removeContainer(engine, ref.name, signal);
    throw gone(ref, `is of no use any more (${status})`);
  } catch (error) {
    if (isFault(error, 404)) throw gone(ref, undefined, error);
    throw error;
  }
}

/** One that cannot be started any more, for example because a mount's source is gone, is as good as gone. */
async function startAgain(engine: Engine, ref: SandboxRef, signal: AbortSignal | undefined): Promise<void> {
  try {
    await engine.json({ method: 'POST', path: `/containers/${ref.name}/start`, signal });
  } catch (error) {
    if (error instanceof EngineFault) throw gone(ref, `cannot be started any more: ${error.message}`, error);
    throw error;
  }
}

async function orUnreachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineUnreachable) throw unreachable(error);
    throw error;
  }
}

/** Asks once; a failure is asked anew. */
function remembered(ask: () => Promise<Info>): () => Promise<Info> {
  let answer: Promise<Info> | undefined;
  return async () => {
    answer ??= ask();
    try {
      return await answer;
    } catch (error) {
      answer = undefined;
      throw error;
    }
  };
}
