// What pages are kept current about: commands whose answer is looked up again and again while somebody watches, and sent
// when it has changed.
import type { Clock } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { Call } from './offered-commands.ts';

export const TOPICS = {
  status: { command: 'status', everyMs: 1000 },
  approvals: { command: 'approvals list', everyMs: 500 },
  pairings: { command: 'pairing list', everyMs: 1000 },
  people: { command: 'people list', everyMs: 2000 },
  sandboxes: { command: 'sandbox list', everyMs: 1000 },
  sessions: { command: 'session list', everyMs: 3000, flags: { last: 1000 } },
} as const satisfies Record<string, { command: string; everyMs: number; flags?: Call['flags'] }>;

export type Topic = keyof typeof TOPICS;

export interface TopicNews {
  readonly topic: Topic;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface TopicOptions {
  readonly clock: Clock;
  readonly ask: (call: Call) => Promise<unknown>;
  readonly redact: (text: string) => string;
  readonly isWatched: (topic: Topic) => boolean;
  readonly publish: (news: TopicNews) => void;
}

interface Known {
  /** Of the news that was sent last, without the time in it. */
  fingerprint?: string;
  news?: TopicNews;
  isAsking: boolean;
  dueAt: number;
}

const TICK_MS = 250;

export class Topics {
  readonly #options: TopicOptions;
  readonly #known = new Map<Topic, Known>();
  #isRunning = false;
  #isClosed = false;

  constructor(options: TopicOptions) {
    this.#options = options;
  }

  /** For somebody who begins to watch; the rest comes by itself. */
  current(topic: Topic): TopicNews | undefined {
    return this.#known.get(topic)?.news;
  }

  /** Something was changed, or somebody came: everything is looked at now. */
  refresh(): void {
    for (const known of this.#known.values()) known.dueAt = 0;
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    this.#tick();
  }

  close(): void {
    this.#isClosed = true;
  }

  #tick(): void {
    const { clock, isWatched } = this.#options;
    const watched = (Object.keys(TOPICS) as Topic[]).filter(isWatched); // the keys of the table
    if (watched.length === 0 || this.#isClosed) {
      this.#isRunning = false;
      // What nobody watches is old by the time somebody does.
      this.#known.clear();
      return;
    }
    for (const topic of watched) {
      const known = this.#known.get(topic) ?? { isAsking: false, dueAt: 0 };
      this.#known.set(topic, known);
      if (!known.isAsking && known.dueAt <= clock.monotonic()) void this.#look(topic, known);
    }
    clock.after(TICK_MS, () => this.#tick());
  }

  async #look(topic: Topic, known: Known): Promise<void> {
    const { clock, ask, redact, publish } = this.#options;
    const given: { command: string; everyMs: number; flags?: Call['flags'] } = TOPICS[topic];
    known.isAsking = true;
    known.dueAt = clock.monotonic() + given.everyMs;
    let news: TopicNews;
    try {
      news = { topic, data: await ask({ command: given.command, flags: given.flags ?? {}, args: {} }) };
    } catch (error) {
      const { code, message } = asHermesError(error);
      news = { topic, error: { code, message: redact(message) } };
    }
    known.isAsking = false;
    const fingerprint = JSON.stringify(news, (key, value) => (key === 'now' ? undefined : value));
    if (fingerprint === known.fingerprint) return;
    Object.assign(known, { fingerprint, news });
    publish(news);
  }
}
