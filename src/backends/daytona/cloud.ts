// The sandboxes in the cloud: found, made, woken, put to sleep and removed, with an end to every wait.
import type { Sandbox as Box, CreateSandbox, SandboxListItem } from '@daytona/api-client';
import type { ProcessApi } from '@daytona/toolbox-api-client';
import { type Clock, sleep } from '../../base/clock.ts';
import { call } from './call.ts';
import { ApiFault, creationError, explain, noKey, unavailable } from './faults.ts';
import { LABEL } from './plan.ts';
import { headersOf, type ImportClients, loadSdk, type Sdk } from './sdk.ts';
import { conditionOf, isResting } from './states.ts';

export interface CloudOptions {
  readonly apiUrl: string;
  readonly key: string | undefined;
  readonly target: string | undefined;
  readonly clock: Clock;
  readonly importing: ImportClients;
}

/** An image may have to be built first. */
export const MAKE_MS = 10 * 60_000;
export const WAKE_MS = 110_000;
const REST_MS = 60_000;
/** A sandbox that was asked to recover shows its error for a while. */
const RECOVER_MS = 10_000;
const FIRST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 1_000;
const PAGE = 100;
/** How often a lost answer to the making of a sandbox is met with another attempt. */
const MAKINGS = 3;

export type { Box };

export interface Toolbox {
  readonly processes: ProcessApi;
  /** As a WebSocket address. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `exitCode` undefined = the service has told none. */
export interface Executed {
  readonly exitCode: number | undefined;
  readonly output: string;
}

export class Cloud {
  readonly #options: CloudOptions;
  #sdk: Promise<Sdk> | undefined;

  constructor(options: CloudOptions) {
    this.#options = options;
  }

  /** For people, and for whoever reacts by code. */
  asError(error: unknown): unknown {
    if (!(error instanceof ApiFault)) return error;
    return unavailable(explain(error, this.#options), error);
  }

  asCreationError(name: string, error: unknown): unknown {
    if (!(error instanceof ApiFault)) return error;
    return creationError(name, explain(error, this.#options), error);
  }

  /** By name or id; undefined when there is none. */
  async find(name: string, signal?: AbortSignal): Promise<Box | undefined> {
    try {
      return await this.#call(
        sdk => given => sdk.sandboxes().getSandbox(name, undefined, undefined, given),
        signal,
      );
    } catch (error) {
      if (error instanceof ApiFault && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Makes it, exactly once: its name is unique, so where the answer was lost the one that was made is found by it. The call
   * itself is not broken off, because nobody would know then what has become of it.
   */
  async make(body: CreateSandbox & { name: string }): Promise<Box> {
    const sdk = await this.#load();
    const { clock } = this.#options;
    let mayBeThere = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await call(given => sdk.sandboxes().createSandbox(body, undefined, given), {
          clock,
          repeat: 'once',
        });
      } catch (error) {
        if (!(error instanceof ApiFault) || !(error.isAmbiguous || error.status === 409)) throw error;
        mayBeThere ||= error.isAmbiguous;
        const found = mayBeThere ? await this.find(body.name) : undefined;
        if (found && isSame(found, body)) return found;
        if (error.status === 409 || attempt === MAKINGS) throw error;
      }
    }
  }

  /** Every sandbox of an installation, whatever its state. */
  async *list(installation: string, signal?: AbortSignal): AsyncIterable<SandboxListItem> {
    const labels = JSON.stringify({ [LABEL.installation]: installation });
    let cursor: string | undefined;
    do {
      const at = cursor;
      signal?.throwIfAborted();
      const page = await this.#call(
        sdk => () => sdk.sandboxes().listSandboxes(undefined, at, PAGE, undefined, undefined, labels, true),
        signal,
      );
      yield* page.items.filter(({ state }) => conditionOf(state) !== 'gone');
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Resolves when commands can run in it; undefined when it is gone. Throws ApiFault when it fails or takes too long. */
  async wake(
    box: Box,
    { limitMs, signal }: { limitMs: number; signal?: AbortSignal | undefined },
  ): Promise<Box | undefined> {
    const { clock } = this.#options;
    const end = clock.monotonic() + limitMs;
    let [seen, recoveredBy]: [Box | undefined, number | undefined] = [box, undefined];
    for (let pauseMs = FIRST_LOOK_MS; seen; pauseMs = Math.min(pauseMs * 1.5, LONGEST_LOOK_MS)) {
      const condition = conditionOf(seen.state);
      if (condition === 'ready') return seen;
      if (condition === 'gone') return undefined;
      if (condition === 'failed') {
        if (!seen.recoverable || clock.monotonic() > (recoveredBy ?? end)) throw stuck(seen);
        if (recoveredBy === undefined) await this.#change(seen.id, 'recover', signal);
        recoveredBy ??= clock.monotonic() + RECOVER_MS;
      } else if (condition === 'asleep') await this.#change(seen.id, 'start', signal);
      if (clock.monotonic() > end) throw tooLong(seen, limitMs);
      await sleep(clock, pauseMs, signal);
      seen = await this.find(seen.id, signal);
    }
    return undefined;
  }

  /** Resolves when nothing runs in it; undefined when it is gone. */
  async rest(id: string, signal?: AbortSignal): Promise<Box | undefined> {
    return this.#until(
      id,
      'stop',
      seen => isResting(seen?.state) || conditionOf(seen?.state) === 'gone',
      signal,
    );
  }

  /** Resolves when nothing of it is billed. */
  async remove(id: string, signal?: AbortSignal): Promise<void> {
    await this.#until(id, 'delete', seen => seen?.state === 'destroyed', signal);
  }

  /** Puts its auto-stop off. */
  async touch(id: string): Promise<void> {
    await this.#call(sdk => given => sdk.sandboxes().updateLastActivity(id, undefined, undefined, given));
  }

  async toolbox(box: Box): Promise<Toolbox> {
    const base = `${box.toolboxProxyUrl.replace(/\/$/, '')}/${box.id}`;
    const sdk = await this.#load();
    return {
      processes: sdk.processes(base),
      address: base.replace(/^http/, 'ws'),
      headers: headersOf(this.#options.key ?? ''),
    };
  }

  /** Runs a script in it, apart from its terminals. */
  async execute({ processes }: Toolbox, script: string, signal?: AbortSignal): Promise<Executed> {
    // What the service does with quotes depends on its version; with these it can do nothing else.
    const command = `sh -c "echo ${Buffer.from(script).toString('base64')} | base64 -d | sh"`;
    const { clock } = this.#options;
    const run = (given: { signal?: AbortSignal }) => processes.executeCommand({ command }, given);
    const { exitCode, result } = await call(run, { clock, signal, repeat: 'safe' });
    return { exitCode, output: result };
  }

  /** Asks until it is so: while its state changes, the API refuses other changes. */
  async #until(
    id: string,
    verb: Verb,
    isSo: (seen: Box | undefined) => boolean,
    signal?: AbortSignal,
  ): Promise<Box | undefined> {
    const { clock } = this.#options;
    const end = clock.monotonic() + REST_MS;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_LOOK_MS)) {
      const seen = await this.find(id, signal);
      if (!seen || isSo(seen)) return seen;
      if (clock.monotonic() > end) throw tooLong(seen, REST_MS);
      if (conditionOf(seen.state) !== 'gone') await this.#change(id, verb, signal);
      const after = await this.find(id, signal);
      if (!after || isSo(after)) return after;
      await sleep(clock, pauseMs, signal);
    }
  }

  /** A refusal because of its state is none: whoever asked looks again. */
  async #change(id: string, verb: Verb, signal?: AbortSignal): Promise<void> {
    try {
      await this.#call<unknown>(
        sdk => given => {
          const api = sdk.sandboxes();
          if (verb === 'start') return api.startSandbox(id, undefined, given);
          if (verb === 'stop') return api.stopSandbox(id, undefined, undefined, given);
          if (verb === 'recover') return api.recoverSandbox(id, undefined, undefined, given);
          return api.deleteSandbox(id, undefined, given);
        },
        signal,
      );
    } catch (error) {
      if (!(error instanceof ApiFault) || !STATE_REFUSALS.includes(error.status ?? 0)) throw error;
    }
  }

  async #call<T>(
    bind: (sdk: Sdk) => (given: { signal?: AbortSignal }) => Promise<{ data: T }>,
    signal?: AbortSignal,
  ): Promise<T> {
    return call(bind(await this.#load()), { clock: this.#options.clock, signal, repeat: 'safe' });
  }

  #load(): Promise<Sdk> {
    const { apiUrl, key, importing } = this.#options;
    if (key === undefined) throw unavailable(noKey);
    this.#sdk ??= loadSdk({ apiUrl, key, importing });
    return this.#sdk;
  }
}

type Verb = 'start' | 'stop' | 'recover' | 'delete';
/** Not found, conflict, and what the API calls a bad request: it is in another state than it was. */
const STATE_REFUSALS: readonly number[] = [400, 404, 409];

/** Two gateways never give out one id, so what carries it is ours. */
function isSame({ labels }: Box, body: CreateSandbox): boolean {
  return [LABEL.installation, LABEL.sandbox].every(label => labels[label] === body.labels?.[label]);
}

function stuck({ name, state, errorReason }: Box): ApiFault {
  return new ApiFault(422, `${name} is in the state ${state}${errorReason ? `: ${errorReason}` : ''}`);
}

function tooLong({ name, state }: Box, limitMs: number): ApiFault {
  return new ApiFault(504, `${name} was still ${state} after ${limitMs / 1000} s`);
}
