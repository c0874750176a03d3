// Makes sandboxes, and finds those that are there. One whose creation was answered by silence is found by its name, so that
// nothing is made, or billed, twice.
import type { Image, Sandbox as Remote } from 'modal';
import { type Clock, sleep } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { DriverContext, SandboxRef } from '../backend.ts';
import { type Cloud, gone } from './cloud.ts';
import { TookTooLong } from './patience.ts';
import { type Plan, paramsOf } from './plan.ts';
import { isNamed, isNotFound, isOpenEnded, type Reason } from './reasons.ts';
import { nameOf, readTags, type Tagged, tagsOf } from './tags.ts';

export interface Making {
  readonly ref: SandboxRef;
  readonly plan: Plan;
  /** The image to take instead of the plan's own. */
  readonly snapshot?: string;
  readonly signal?: AbortSignal | undefined;
}

const IMAGE_MS = 20 * 60_000;
const CREATE_MS = 5 * 60_000;
const TAKE_BACK_MS = 10_000;
const BUILD_ATTEMPTS = 5;
const BUILD_PAUSE_MS = 500;
/** One that is there already is quicker. */
const SLOW_IMAGE_MS = 2_000;

/** A sandbox of the service that is ours. */
export interface Found extends Tagged {
  readonly remote: Remote;
}

/** The snapshot that was to be the image of a sandbox is not there any more. */
export class SnapshotGone extends Error {
  override readonly name = 'SnapshotGone';
}

export class Maker {
  readonly #cloud: Cloud;
  readonly #clock: Clock;
  readonly #progress: (text: string) => void;
  /** Those that were built before, by name. */
  readonly #images = new Map<string, Promise<Image>>();

  constructor(cloud: Cloud, { clock, progress }: Pick<DriverContext, 'clock' | 'progress'>) {
    this.#cloud = cloud;
    this.#clock = clock;
    this.#progress = progress;
  }

  /** Throws UNAVAILABLE_BACKEND, SANDBOX_NOT_CREATED, SnapshotGone or the signal's reason; then nothing of it is left. */
  async make(making: Making): Promise<Remote> {
    const { signal } = making;
    let creating: Promise<Remote> | undefined;
    try {
      const image = await this.#cloud.answer(this.#image(making), { ms: IMAGE_MS, signal });
      creating = this.#create(making, image);
      return await this.#cloud.answer(creating, { ms: CREATE_MS, signal });
    } catch (error) {
      const isLate = error instanceof TookTooLong;
      // It may come to be all the same, and would be nobody's then.
      if (creating && (signal?.aborted || isLate)) await this.#takeBack(creating);
      throw isLate ? this.#cloud.unavailable(error) : error;
    }
  }

  /** For a while; what comes later is ended when it comes, and found by its tags if there is nobody any more. */
  async #takeBack(creating: Promise<Remote>): Promise<void> {
    const ending = creating.then(remote => remote.terminate({ wait: true }));
    await Promise.allSettled([this.#cloud.answer(ending, { ms: TAKE_BACK_MS })]);
  }

  async #create({ ref, plan, snapshot }: Making, image: Image): Promise<Remote> {
    const client = await this.#cloud.client();
    const app = await this.#cloud.appHandle();
    try {
      const params = paramsOf(plan, nameOf(ref), tagsOf(ref, plan));
      return await client.sandboxes.create(app, image, params);
    } catch (error) {
      const found = isOpenEnded(error) ? await this.find(ref) : undefined;
      if (found) return found.remote;
      if (isNotFound(error)) await this.#lookAgain(snapshot);
      throw this.#notCreated(ref, error);
    }
  }

  /** App or image are not there any more: the next one asks for them anew. Throws SnapshotGone. */
  async #lookAgain(snapshot: string | undefined): Promise<void> {
    this.#cloud.forgetApp();
    this.#images.clear();
    if (snapshot !== undefined) await this.#snapshotImage(snapshot);
  }

  /** Undefined when none of that name runs, or the one that does is somebody else's. Throws UNAVAILABLE_BACKEND. */
  async find(ref: SandboxRef, signal?: AbortSignal): Promise<Found | undefined> {
    const client = await this.#cloud.client();
    // It finds what is in an app that exists.
    await this.#cloud.appHandle();
    try {
      const finding = client.sandboxes.fromName(this.#cloud.app, nameOf(ref));
      const remote = await this.#cloud.answer(finding, { signal });
      const tagged = readTags(await this.#cloud.answer(remote.getTags(), { signal }));
      const isIt = tagged?.ref.id === ref.id && tagged.ref.installation === ref.installation;
      return isIt ? { ...tagged, remote } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      signal?.throwIfAborted();
      throw this.#cloud.unavailable(error);
    }
  }

  /** What is not there any more counts as deleted. */
  async deleteImage(id: string): Promise<void> {
    const client = await this.#cloud.client();
    try {
      await this.#cloud.answer(client.images.delete(id));
    } catch (error) {
      if (!isNotFound(error)) throw this.#cloud.unavailable(error);
    }
  }

  #image({ plan, snapshot }: Making): Promise<Image> {
    if (snapshot !== undefined) return this.#snapshotImage(snapshot);
    const known = this.#images.get(plan.image);
    if (known) return known;
    const built = this.#build(plan.image);
    this.#images.set(plan.image, built);
    built.catch(() => this.#images.delete(plan.image));
    return built;
  }

  async #snapshotImage(id: string): Promise<Image> {
    const client = await this.#cloud.client();
    try {
      return await this.#cloud.answer(client.images.fromId(id));
    } catch (error) {
      if (isNotFound(error)) throw new SnapshotGone(id, { cause: error });
      throw this.#cloud.unavailable(error);
    }
  }

  async #build(tag: string): Promise<Image> {
    const client = await this.#cloud.client();
    const app = await this.#cloud.appHandle();
    const text = `Modal prepares the image ${tag}; the first time this can take minutes.`;
    const late = this.#clock.after(SLOW_IMAGE_MS, () => this.#progress(text));
    // An entrypoint of the image would get the first process of ours as its arguments, and may not run it.
    const image = client.images.fromRegistry(tag).dockerfileCommands(['ENTRYPOINT []']);
    try {
      return await this.#follow(() => image.build(app));
    } catch (error) {
      const { name, ...reason } = this.#cloud.reasonOf(error);
      if (name !== 'refused') throw this.#cloud.unavailable(error);
      const said = error instanceof Error ? error.message : reason.message;
      const message = `Modal could not prepare the image ${tag}: ${said} Mend terminal.modal_image: the image has to be public, and for Linux on x86-64.`;
      throw new HermesError('SANDBOX_NOT_CREATED', message, {
        details: { reason: 'image', image: tag },
        cause: error,
      });
    } finally {
      late.cancel();
    }
  }

  /** A build goes on at the service when the stream that tells of it breaks; the SDK gives up then, and is asked again. */
  async #follow(build: () => Promise<Image>): Promise<Image> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await build();
      } catch (error) {
        if (!isOpenEnded(error) || attempt === BUILD_ATTEMPTS || this.#cloud.closed.aborted) throw error;
        await sleep(this.#clock, BUILD_PAUSE_MS);
      }
    }
  }

  /** That there is no room or no allowance concerns the sandbox; everything else concerns the backend. */
  #notCreated(ref: SandboxRef, error: unknown): Error {
    if (isNamed(error, 'AlreadyExistsError')) {
      const message = `The sandbox ${ref.name} was not made: another one of the app ${this.#cloud.app} has its name.`;
      return new HermesError('SANDBOX_NOT_CREATED', message, { details: { ref }, cause: error });
    }
    const reason = this.#cloud.reasonOf(error);
    if (!OF_THE_SANDBOX.includes(reason.name)) return this.#cloud.unavailable(error);
    const message = `The sandbox ${ref.name} was not made. ${reason.message} ${reason.fix}`;
    return new HermesError('SANDBOX_NOT_CREATED', message, {
      details: { ref, reason: reason.name },
      cause: error,
    });
  }
}

const OF_THE_SANDBOX: readonly Reason['name'][] = ['quota', 'rate-limit', 'region-full', 'refused'];

/** How a sandbox ended that is not there any more, in the service's own words. */
export function endedBecause(status: number | undefined, exitCode: number | undefined): string {
  if (status === TIMED_OUT) return 'has come to the end of its life at Modal (terminal.modal_life)';
  if (status === TERMINATED) return 'was ended at Modal';
  if (status === IDLE_TIMED_OUT) return 'was idle for too long and was ended by Modal';
  return `has ended at Modal (exit code ${exitCode ?? 'unknown'}): nobody had asked for it for too long, or its first process was killed`;
}

/** GenericResult's words. */
const TERMINATED = 3;
const TIMED_OUT = 4;
const IDLE_TIMED_OUT = 7;

export function snapshotLost(ref: SandboxRef, takenAt: number | undefined): HermesError {
  const when = takenAt === undefined ? '' : ` of ${new Date(takenAt).toISOString()}`;
  return gone(
    ref,
    `cannot be resumed: its snapshot${when} does not exist at Modal any more. A new one starts from the image, without its files`,
  );
}
