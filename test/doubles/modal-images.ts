// The images of the Modal double. A build takes time and streams (modal 0.11.1, `Image.build`, and modal-labs/modal-client,
// modal_proto/api.proto: ImageGetOrCreate, ImageJoinStreaming): the first answer has no result, log entries follow, a stream ends
// after a while without a result, and the next one goes on behind `last_entry_id`.
import { removeRoot } from './modal-container.ts';

export interface DoubleImage {
  readonly id: string;
  /** A snapshot's folder; absent = made afresh. */
  readonly root?: string;
  readonly hasBash: boolean;
  readonly hasCapabilities: boolean;
  /** Runs as the first process, with the command of the sandbox as its arguments (docs: `Sandbox.create` sets the CMD). */
  readonly entrypoint: readonly string[];
}

/** As modal.proto has it. */
export interface ImageDefinition {
  readonly dockerfileCommands: readonly string[];
  readonly baseImages: readonly { readonly imageId: string; readonly dockerTag: string }[];
}

/** GenericResult's words. */
export const RESULT = { success: 1, failure: 2, terminated: 3, timeout: 4, idleTimeout: 7 } as const;

interface Result {
  readonly status: number;
  readonly exception?: string;
}

interface BuildEntry {
  readonly entryId: string;
  readonly taskLogs?: readonly { readonly data: string }[];
  readonly result?: Result;
}

interface Build {
  readonly image: DoubleImage;
  readonly result: Result;
  isDone: boolean;
}

/** Entries of a build: two log lines, then its result. */
const LOGS = ['Step 0: FROM\n', 'Step 1: extracting\n'];
/** So many come before a stream ends without a result. */
const A_STREAM = 2;

export class ModalImages {
  readonly #builds = new Map<string, Build>();
  readonly #snapshots = new Map<string, DoubleImage>();

  /** Undefined for one that does not exist or is not built yet. */
  get(id: string): DoubleImage | undefined {
    const build = this.#builds.get(id);
    if (!build) return this.#snapshots.get(id);
    return build.isDone && build.result.status === RESULT.success ? build.image : undefined;
  }

  has(id: string): boolean {
    return this.#builds.has(id) || this.#snapshots.has(id);
  }

  /** `result` is absent while it is being built. */
  getOrCreate(definition: ImageDefinition): { readonly imageId: string; readonly result?: Result } {
    const id = `im-${Buffer.from(JSON.stringify(definition)).toString('base64url')}`;
    const build = this.#builds.get(id) ?? this.#begin(id, definition);
    this.#builds.set(id, build);
    return { imageId: id, ...(build.isDone ? { result: build.result } : {}) };
  }

  /** What a stream brings that is behind an entry. */
  *join(id: string, lastEntryId: string): Generator<BuildEntry> {
    const build = this.#builds.get(id);
    if (!build) return;
    const from = lastEntryId === '' ? 0 : Number(lastEntryId.split('-')[0]);
    for (let at = from; at < Math.min(from + A_STREAM, LOGS.length); at++)
      yield { entryId: `${at + 1}-0`, taskLogs: [{ data: LOGS[at] ?? '' }] };
    if (from < LOGS.length) return;
    build.isDone = true;
    yield { entryId: `${from + 1}-0`, result: build.result };
  }

  keep(image: DoubleImage): void {
    this.#snapshots.set(image.id, image);
  }

  snapshots(): string[] {
    return [...this.#snapshots.keys()];
  }

  async remove(id: string): Promise<boolean> {
    const root = this.#snapshots.get(id)?.root;
    if (root !== undefined) await removeRoot(root);
    return this.#snapshots.delete(id) || this.#builds.delete(id);
  }

  #begin(id: string, { dockerfileCommands, baseImages }: ImageDefinition): Build {
    const [from = '', ...rest] = dockerfileCommands;
    const tag = from.replace(/^FROM /, '');
    const base = baseImages.find(({ dockerTag }) => dockerTag === tag);
    const image = base ? this.get(base.imageId) : ofRegistry(tag);
    const exception = `no such image: ${tag}`;
    if (!image || tag.startsWith('missing/'))
      return { image: ofRegistry(tag), result: { status: RESULT.failure, exception }, isDone: false };
    const clears = rest.some(command => /^ENTRYPOINT \[\]$/.test(command));
    const entrypoint = clears ? [] : image.entrypoint;
    return { image: { ...image, id, entrypoint }, result: { status: RESULT.success }, isDone: false };
  }
}

/** What an image has is in its name. */
function ofRegistry(tag: string): DoubleImage {
  return {
    id: '',
    hasBash: tag !== 'nobash',
    hasCapabilities: tag !== 'nocaps',
    // One that takes no notice of its arguments, as many do.
    entrypoint: tag === 'entrypoint' ? ['/bin/sh', '-c', 'exit 3'] : [],
  };
}
