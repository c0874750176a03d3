// All live sockets: what has changed goes to those who watch it.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { Visitor } from '../platforms/platform.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import type { SeenProcess } from '../sessions/seen-processes.ts';
import type { LiveFrame, Watched } from './live-frames.ts';
import { LivePage, type LiveParts } from './live-page.ts';
import type { Call } from './offered-commands.ts';
import type { Samples } from './samples.ts';
import { type Topic, Topics } from './topics.ts';
import { type Usage, usageOf } from './usage.ts';

/** What runs in a sandbox; undefined when nothing is connected to it. */
export type SeeProcesses = (sandboxId: string) => Promise<readonly SeenProcess[] | undefined>;

export interface LiveOptions extends Omit<LiveParts, 'onWatch'> {
  readonly samples: Samples;
  readonly processes: SeeProcesses;
  readonly ask: (call: Call) => Promise<unknown>;
}

const MOST_FRAME = 64 * 1024;
const MOST_PAGES = 64;
const USAGE_MS = 5000;
const TRY_AGAIN = 1013;

export class Live {
  readonly #options: LiveOptions;
  readonly #clock: Clock;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_FRAME,
    perMessageDeflate: false,
  });
  readonly #pages = new Set<LivePage>();
  readonly #topics: Topics;
  #usage: Readonly<Record<string, Usage>> = {};
  #isMeasuring = false;
  #isClosed = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#topics = new Topics({
      clock: options.clock,
      ask: options.ask,
      redact: options.world.redact,
      isWatched: topic => this.#isWatched(topic),
      publish: news => this.#publish(news.topic, { type: 'topic', ...news }),
    });
    options.samples.onSample = sample =>
      this.#publish('figures', { type: 'figures', samples: [sample], isWhole: false });
  }

  /** Something was changed over the page: everybody sees it at once. */
  refresh(): void {
    this.#topics.refresh();
  }

  admit(visitor: Visitor, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, made => {
      if (this.#pages.size >= MOST_PAGES || this.#isClosed) return made.close(TRY_AGAIN, 'too many');
      const page = new LivePage(made, visitor, {
        ...this.#options,
        onWatch: (who, topics) => this.#begin(who, topics),
      });
      this.#pages.add(page);
      made.on('close', () => this.#pages.delete(page));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#topics.close();
    for (const page of this.#pages) page.leave();
    this.#sockets.close();
  }

  #begin(page: LivePage, topics: readonly Watched[]): void {
    for (const topic of topics) {
      if (topic === 'figures')
        page.show({ type: 'figures', samples: this.#options.samples.kept, isWhole: true });
      else if (topic === 'usage') page.show({ type: 'usage', usage: this.#usage });
      else {
        const news = this.#topics.current(topic);
        if (news) page.show({ type: 'topic', ...news });
      }
    }
    if (topics.length > 0) this.#topics.refresh();
    if (topics.includes('usage') && !this.#isMeasuring) this.#measure();
  }

  #isWatched(topic: Topic): boolean {
    return [...this.#pages].some(page => page.watches(topic));
  }

  #publish(topic: Watched, frame: LiveFrame): void {
    for (const page of this.#pages) if (page.watches(topic)) page.show(frame);
  }

  /** While somebody watches. */
  #measure(): void {
    this.#isMeasuring = [...this.#pages].some(page => page.watches('usage')) && !this.#isClosed;
    if (!this.#isMeasuring) return;
    this.#usageNow()
      .then(usage => {
        this.#usage = usage;
        this.#publish('usage', { type: 'usage', usage });
      })
      .catch(error =>
        this.#options.log.warn({ error: String(error) }, 'what sandboxes use could not be measured'),
      )
      .finally(() => this.#clock.after(USAGE_MS, () => this.#measure()));
  }

  async #usageNow(): Promise<Readonly<Record<string, Usage>>> {
    const { world, processes, log } = this.#options;
    const found: [string, Usage][] = [];
    for (const entry of await world.store.ledger.list({ states: ['ready', 'leased'] })) {
      const { isolation } = entry.policy as SandboxPolicy; // as SandboxLife wrote it
      if (isolation === 'none' || isolation === 'remote') continue;
      try {
        const seen = await processes(entry.id);
        if (seen) found.push([entry.id, usageOf(seen, this.#clock.now(), this.#usage[entry.id])]);
      } catch (error) {
        log.debug({ sandbox: entry.id, error: asHermesError(error).message }, 'a sandbox was not measured');
      }
    }
    return Object.fromEntries(found);
  }
}
