// Listens to what the daemon receives. An event counts as taken in only when it was stored: its id is written down then, and
// a daemon that numbers its events gives what came after it again, also to another life of the gateway (P12).
import { z } from 'zod';
import { sleep } from '../../base/clock.ts';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectOptions, PlatformState } from '../platform.ts';
import type { Client } from './client.ts';
import { unknownAccount, unreachable, unreadable } from './faults.ts';
import type { Folder } from './folder.ts';
import { type ServerEvent, ServerEventReader } from './server-events.ts';

/** The daemon says something every 15 s, and be it nothing. */
const STALE_MS = 50_000;
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
const FILE = 'last-event.json';
/** Known to no daemon: all that it has kept. */
const FROM_THE_BEGINNING = '0';

export interface ListenOptions extends Pick<ConnectOptions, 'onState'> {
  readonly client: Client;
  readonly folder: Folder;
  readonly log: Log;
  /** Whether it was stored, and not only looked at. */
  readonly take: (data: unknown) => Promise<'stored' | 'ignored'>;
  /** Throws when the account does not work any more. */
  readonly prove: (signal: AbortSignal) => Promise<unknown>;
}

export class Listener {
  readonly #options: ListenOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #last: string | undefined;
  #written: string | undefined;
  /** Since it was written down how far; what was only looked at may be looked at again. */
  #hasStored = false;
  /** In a row. */
  #failures = 0;
  #told = '';
  #hasFailed = false;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Resolves when nothing is being taken in any more, and what was is written down. */
  async pause(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** For what somebody else has found out: it does not go on. */
  fail(error: HermesError): void {
    this.#tell({ kind: 'failed', code: error.code, reason: error.message });
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#tell({ kind: 'connected' });
    await this.#read();
    while (!signal.aborted) {
      try {
        if (this.#failures > 0) await this.#options.prove(signal);
        await this.#listen();
      } catch (error) {
        if (signal.aborted) break;
        if (isHermesError(error, 'AUTH_PLATFORM_TOKEN')) {
          this.fail(error);
          break;
        }
        this.#tell({ kind: 'offline', reason: error instanceof Error ? error.message : String(error) });
        await this.#backOff();
      }
    }
    await this.#write();
  }

  /** Until the stream ends, which it never should. */
  async #listen(): Promise<never> {
    const { client } = this.#options;
    const quiet = new AbortController();
    const watch = { timer: client.clock.after(STALE_MS, () => quiet.abort()) };
    const listening = AbortSignal.any([quiet.signal, this.#stopping.signal, client.closing]);
    try {
      const response = await this.#open(listening);
      this.#tell({ kind: 'connected' });
      const reader = new ServerEventReader();
      const text = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        watch.timer.cancel();
        this.#failures = 0;
        for (const event of reader.read(text.decode(chunk, { stream: true }))) {
          await this.#take(event);
          listening.throwIfAborted();
        }
        if (this.#hasStored) await this.#write();
        watch.timer = client.clock.after(STALE_MS, () => quiet.abort());
      }
    } catch (error) {
      if (quiet.signal.aborted) throw stale(client.endpoint.url);
      throw unreachable(error, 'events', client.endpoint);
    } finally {
      watch.timer.cancel();
    }
    throw ended(client.endpoint.url);
  }

  async #open(signal: AbortSignal): Promise<Response> {
    const { client } = this.#options;
    const { endpoint } = client;
    const path = `events?account=${encodeURIComponent(endpoint.account)}`;
    const headers = { accept: 'text/event-stream', 'last-event-id': this.#last ?? FROM_THE_BEGINNING };
    let response: Response;
    try {
      response = await client.timed('events', { signal, timeoutMs: STALE_MS * 2 }, () =>
        client.fetch(path, { headers, signal }, 'events'),
      );
    } catch (error) {
      // This is how a daemon with several accounts says that this is none of them.
      if (isHermesError(error) && error.details['status'] === 400)
        throw unknownAccount(endpoint, { details: error.details, cause: error });
      throw error;
    }
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    await response.body?.cancel();
    throw unreadable('events', endpoint);
  }

  /** Again and again until it is taken in: what follows it waits. */
  async #take({ id, data }: ServerEvent): Promise<void> {
    const { take, log } = this.#options;
    const { signal } = this.#stopping;
    for (let attempt = 0; ; attempt++) {
      try {
        const outcome = data === undefined ? 'ignored' : await take(jsonOf(data));
        this.#last = id ?? this.#last;
        this.#hasStored ||= outcome === 'stored';
        return;
      } catch (error) {
        if (signal.aborted || isHermesError(error, 'AUTH_PLATFORM_TOKEN')) throw error;
        log.error({ err: error }, 'a message was not taken in; it is tried again');
        await this.#sleep(Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(attempt, 16)));
        signal.throwIfAborted();
      }
    }
  }

  async #read(): Promise<void> {
    const { folder, log } = this.#options;
    try {
      this.#last = z.string().safeParse(await folder.read(FILE)).data;
      this.#written = this.#last;
    } catch (error) {
      log.warn({ err: error }, 'how far messages were read is not known; all that is kept comes again');
    }
  }

  /** Where that fails, what is stored comes again after a crash, under the same id. */
  async #write(): Promise<void> {
    const { folder, log } = this.#options;
    const last = this.#last;
    this.#hasStored = false;
    if (last === this.#written) return;
    try {
      await folder.write(FILE, last);
      this.#written = last;
    } catch (error) {
      log.warn({ err: error }, 'how far messages were read could not be written down');
    }
  }

  async #backOff(): Promise<void> {
    this.#failures += 1;
    const grown = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(this.#failures - 1, 16));
    await this.#sleep(grown * (0.5 + Math.random() / 2));
  }

  /** Ends early when it is stopped. */
  async #sleep(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(this.#options.client.clock, ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  #tell(state: PlatformState): void {
    const text = JSON.stringify(state);
    if (text === this.#told || this.#hasFailed) return;
    this.#told = text;
    this.#hasFailed = state.kind === 'failed';
    this.#options.onState(state);
  }
}

function stale(url: string): HermesError {
  const message = `The signal-cli daemon at ${url} has said nothing for ${STALE_MS / 1000} s, not even that it lives. It is asked again.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message);
}

function ended(url: string): HermesError {
  const message = `The signal-cli daemon at ${url} has ended its stream of messages. It is asked again.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message);
}
