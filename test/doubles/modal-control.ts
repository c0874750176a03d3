// The first server of the Modal double: apps, images, and the life of sandboxes.
import { type CallContext, ServerError, Status } from 'nice-grpc';
import type { ImageDefinition } from './modal-images.ts';
import type { Message } from './modal-proto.ts';
import type { Definition, DoubleSandbox, ModalState, OtherSandbox } from './modal-state.ts';

interface Control {
  readonly state: ModalState;
  readonly tokenId: string;
  readonly tokenSecret: string;
  /** To the second server. */
  readonly access: () => { readonly jwt: string; readonly url: string };
}

type Call = (request: never, context: CallContext) => Promise<Message> | AsyncIterable<Message>;

interface Tag {
  readonly tagName: string;
  readonly tagValue: string;
}

interface ById {
  readonly sandboxId: string;
}

/** As modal.proto has them. */
interface CreateRequest {
  readonly appId: string;
  readonly tags: readonly Tag[];
  readonly definition: {
    readonly entrypointArgs: readonly string[];
    readonly imageId: string;
    readonly secretIds: readonly string[];
    readonly resources: { readonly milliCpu: number; readonly memoryMb: number } | null;
    readonly timeoutSecs: number;
    readonly idleTimeoutSecs: number;
    readonly networkAccess: { readonly networkAccessType: number } | null;
    readonly schedulerPlacement: { readonly regions: readonly string[] } | null;
    readonly name: string;
  };
}

const BLOCKED = 2;
const HOUR_SECS = 3600;

export function controlCalls(control: Control): Readonly<Record<string, Call>> {
  const calls = { ...tenantCalls(control), ...sandboxCalls(control), ...lookupCalls(control) };
  const guarded = Object.entries(calls).map(([name, call]) => [
    name,
    (request: never, context: CallContext) => {
      authorize(control, context);
      return call(request, context);
    },
  ]);
  return Object.fromEntries(guarded);
}

function authorize({ tokenId, tokenSecret }: Control, { metadata }: CallContext): void {
  const isKnown =
    metadata.get('x-modal-token-id') === tokenId && metadata.get('x-modal-token-secret') === tokenSecret;
  if (!isKnown) throw new ServerError(Status.UNAUTHENTICATED, 'Token ID is malformed or unknown');
}

function tenantCalls({ state }: Control): Record<string, Call> {
  return {
    AuthTokenGet: async () => ({ token: jwt(HOUR_SECS) }),
    AppGetOrCreate: async ({ appName }: { appName: string }) => ({ appId: state.appId(appName) }),
    EnvironmentGetOrCreate: async () => ({
      environmentId: 'en-1',
      metadata: { name: 'main', settings: { imageBuilderVersion: '2025.06' } },
    }),
    ImageGetOrCreate: async ({ image }: { image: ImageDefinition }) => state.images.getOrCreate(image),
    async *ImageJoinStreaming({ imageId, lastEntryId }: { imageId: string; lastEntryId: string }) {
      for (const entry of state.images.join(imageId, lastEntryId)) yield { ...entry };
    },
    ImageFromId: async ({ imageId }: { imageId: string }) => {
      if (!state.images.has(imageId)) throw new ServerError(Status.NOT_FOUND, `no image ${imageId}`);
      return { imageId };
    },
    ImageDelete: async ({ imageId }: { imageId: string }) => {
      if (!(await state.images.remove(imageId)))
        throw new ServerError(Status.NOT_FOUND, `no image ${imageId}`);
      return {};
    },
  };
}

function sandboxCalls({ state, access }: Control): Record<string, Call> {
  return {
    SandboxCreateV2: async (request: CreateRequest) => {
      const definition = definitionOf(request);
      const image = state.images.get(definition.imageId);
      if (!image) throw new ServerError(Status.NOT_FOUND, `no image ${definition.imageId}`);
      if (![...state.apps.values()].includes(definition.appId)) {
        throw new ServerError(Status.NOT_FOUND, `no app ${definition.appId}`);
      }
      const made = await state.create(definition, image);
      if (made) return { sandboxId: made.id, taskId: made.taskId, commandRouterAccess: access() };
      throw new ServerError(Status.ALREADY_EXISTS, `a sandbox is called ${definition.name}`);
    },
    SandboxTerminateV2: async ({ sandboxId }: ById) => {
      if (state.others.some(({ id }) => id === sandboxId)) state.trespasses.push(sandboxId);
      await state.end(find(state, sandboxId));
      return {};
    },
    SandboxWaitV2: async ({ sandboxId, timeout }: ById & { timeout: number }, { signal }) => {
      const sandbox = find(state, sandboxId);
      if (!sandbox.result) await waited(sandbox.container.ended, timeout * 1000, signal);
      return { result: sandbox.result };
    },
    SandboxGetTaskIdV2: async ({ sandboxId }: ById) => {
      const { taskId, result } = find(state, sandboxId);
      return result ? { taskResult: result } : { taskId };
    },
    SandboxGetCommandRouterAccess: async ({ sandboxId }: ById) => {
      if (find(state, sandboxId).result) throw new ServerError(Status.NOT_FOUND, 'the sandbox has ended');
      return access();
    },
  };
}

function lookupCalls({ state }: Control): Record<string, Call> {
  const fromName = async ({ sandboxName, appName }: { sandboxName: string; appName: string }) => {
    const app = state.apps.get(appName);
    const other = state.others.find(({ name, app: its }) => name === sandboxName && its === appName);
    const found = other ?? state.living().find(({ name, appId }) => name === sandboxName && appId === app);
    if (!found) throw new ServerError(Status.NOT_FOUND, `no sandbox ${sandboxName}`);
    return { sandboxId: found.id };
  };
  const tags = async ({ sandboxId }: ById) => {
    const other = state.others.find(({ id }) => id === sandboxId);
    return { tags: tagsOf(other ?? find(state, sandboxId)) };
  };
  return {
    SandboxGetFromName: fromName,
    SandboxGetFromNameV2: fromName,
    SandboxTagsGet: tags,
    SandboxTagsGetV2: tags,
    // Sandboxes of both kinds that run, newest first (modal 0.11.1, `experimentalList`).
    SandboxListV2: async (wanted: { appId: string; beforeTimestamp: number; tags: readonly Tag[] }) => {
      const others = state.others.map(other => ({ ...other, appId: state.appId(other.app) }));
      const found = [...others, ...state.living()]
        .filter(({ appId }) => wanted.appId === '' || appId === wanted.appId)
        .filter(({ tags }) => wanted.tags.every(({ tagName, tagValue }) => tags[tagName] === tagValue))
        .filter(({ createdAt }) => wanted.beforeTimestamp === 0 || createdAt < wanted.beforeTimestamp)
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .slice(0, 2);
      return {
        sandboxes: found.map(({ id, createdAt, appId, name, tags }) => ({
          ...{ id, createdAt, appId, name },
          tags: tagsOf({ tags }),
        })),
      };
    },
  };
}

function find(state: ModalState, id: string): DoubleSandbox {
  const found = state.sandboxes.get(id);
  if (found) return found;
  throw new ServerError(Status.NOT_FOUND, `no sandbox ${id}`);
}

function definitionOf({ appId, tags, definition }: CreateRequest): Definition {
  return {
    ...{ appId, name: definition.name, imageId: definition.imageId, command: definition.entrypointArgs },
    tags: Object.fromEntries(tags.map(({ tagName, tagValue }) => [tagName, tagValue])),
    timeoutSecs: definition.timeoutSecs,
    idleTimeoutSecs: definition.idleTimeoutSecs,
    regions: definition.schedulerPlacement?.regions ?? [],
    network: definition.networkAccess?.networkAccessType === BLOCKED ? 'blocked' : 'open',
    milliCpu: definition.resources?.milliCpu ?? 0,
    memoryMb: definition.resources?.memoryMb ?? 0,
    secretIds: definition.secretIds,
  };
}

function tagsOf({ tags }: Pick<DoubleSandbox | OtherSandbox, 'tags'>): Tag[] {
  return Object.entries(tags).map(([tagName, tagValue]) => ({ tagName, tagValue }));
}

async function waited(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Nobody checks the signature; the SDK reads when it expires. */
export function jwt(lifeSecs: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + lifeSecs;
  return [part({ alg: 'none' }), part({ exp, at: performance.now() }), 'double'].join('.');
}
