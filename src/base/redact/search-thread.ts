// One thread beside the main one, in which long texts are searched: whatever a text consists of, the gateway goes on
// answering. It is started when it is first needed. A text that takes it too long, or that it breaks on, is not searched;
// the thread is then ended, and the next text gets a new one.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock, type Timer } from '../clock.ts';
import type { Meter } from './meter.ts';
import type { SearchOptions } from './search.ts';
import type { Answered, Asked } from './search-server.ts';
import type { Span } from './shape.ts';

/** For one piece of a text, with the start of the thread: a thousand times what it needs on an idle machine. */
const BUDGET_MS = 10_000;
const MOST_MIB = 256;
/** Sources are TypeScript, the package is JavaScript. */
const SERVER = new URL(`./search-server${extname(import.meta.url)}`, import.meta.url).href;
const START = `const { workerData } = require('node:worker_threads');
import(workerData.server).then(({ serve }) => serve(workerData.options));`;

export interface ThreadOptions {
  readonly search: SearchOptions;
  readonly clock?: Clock;
  /** The module that exports `serve`. */
  readonly server?: string;
}

export class SearchThread {
  readonly #options: Required<ThreadOptions>;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ search, clock = systemClock, server = SERVER }: ThreadOptions) {
    this.#options = { search, clock, server };
  }

  /** What is to be hidden; undefined when it could not be found out. Texts are searched one after another. Never rejects. */
  async spansIn(text: string, meter: Meter): Promise<readonly Span[] | undefined> {
    const search = this.#last.then(() => this.#search({ text, left: meter.left }));
    this.#last = search;
    const answered = await search;
    if (answered) meter.spend(meter.left - answered.left);
    return answered?.spans;
  }

  #search(asked: Asked): Promise<Answered | undefined> {
    const { promise, resolve } = Promise.withResolvers<Answered | undefined>();
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    const { clock } = this.#options;
    let timer: Timer | undefined;
    const end = (answered: Answered | undefined): void => {
      timer?.cancel();
      worker.off('message', end).off('error', fail).off('exit', fail);
      worker.unref();
      if (!answered) this.#end(worker);
      resolve(answered);
    };
    const fail = (): void => end(undefined);
    timer = clock.after(BUDGET_MS, fail, { keepAlive: true });
    worker.on('message', end).on('error', fail).on('exit', fail);
    worker.ref();
    worker.postMessage(asked);
    return promise;
  }

  #start(): Worker {
    const { search, server } = this.#options;
    return new Worker(START, {
      ...{ eval: true, env: {}, execArgv: [], name: 'redaction' },
      workerData: { server, options: search },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MIB },
    });
  }

  #end(worker: Worker): void {
    this.#worker = undefined;
    // It may break once more while it ends.
    worker.on('error', () => {});
    void worker.terminate();
  }
}
